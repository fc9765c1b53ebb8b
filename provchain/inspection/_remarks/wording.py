"""The wording by which each kind of remark is known. Patterns only; which match counts is decided in ``guards``.

A pattern sees one sentence with single spaces. Each is bounded or anchored, so that no sentence takes longer than its length.
A group ``n`` and ``m`` counts units ("3 of 5"); a group ``subject`` is what the predicate is said of.
"""

from __future__ import annotations

import re

from provchain.inspection._remarks.prose import CODE, SCRIPT
from provchain.model import RemarkKind

__all__ = ["PATTERNS", "STEMS"]

_I = re.IGNORECASE

# ------------------------------------------------------------------------------------------------------ parts of speech

_UNIT = (
    r"seeds?|folds?|runs?|trials?|repetitions?|repeats|replicates|jobs|configurations?|experiments|evaluations|steps"
)
_WORK = (
    rf"experiments?|re-?runs?|runs?|executions?|training|trainings|evaluations?|fine-?tuning|jobs?|scripts?|pipelines?"
    rf"|ablations?(?: stud(?:y|ies)| experiments?)?|benchmark runs?|simulation runs?|sweeps?|seeds?|folds?|notebooks?"
    rf"|steps? #?[0-9][\w.]{{0,7}}|(?:planned|main|last|first|final|full|remaining) (?:steps?|baselines?|stud(?:y|ies))"
    rf"|{SCRIPT}+"
)
_TOK = (
    r"(?!(?:that|which|who|whose|where|when|if|because|but|while|whereas|although|though|so|show\w*|demonstrat\w*"
    r"|reveal\w*|indicat\w*|suggest\w*|confirm\w*|found|find|not|never|no|only|to|could|can|cannot|will|would"
    r"|should|may"
    r"|might|must|is|are|was|were|has|have|had|be|been|did|does|do)\b)(?!\w+n't\b)[^\s,;:|()]+"
)
_ADV = r"(?:now|all|both|also|then|each|still|even|just|already|finally|eventually|again|itself|therefore|thus|\w+ly)"
# What may stand between a subject and its predicate: its name, a remark in brackets, "on CIFAR-10 with 5 seeds".
_GAP = (
    rf"(?: (?:#?[\w.-]*[0-9][\w.-]*|[A-Z]|[{SCRIPT}{CODE}]+))?(?: \([^()]{{0,80}}\))?"
    rf"(?: (?:of|on|with|for|in|at|using|over|under|from) {_TOK}(?: {_TOK}){{0,5}}?)?(?: {_ADV}){{0,2}}?"
)
_SUBJECT = rf"(?<![\w-])(?P<subject>{_WORK})(?![\w-]){_GAP} "
_BE = r"(?:(?:was|were|is|are|has been|have been|had been|got) )"
_HAVE = r"(?:(?:has|have|had) )?"
_WE = rf"(?<![\w'])(?:we|I)(?:'ve| have| had)?(?: {_ADV}){{0,2}} "
_DONE = (
    r"(?:completed?|finish(?:ed)?|run|executed?|conduct(?:ed)?|carr(?:y|ied) out|perform(?:ed)?|train(?:ed)?"
    r"|evaluated?)"
)
_CLEANLY = (
    r"(?:successfully|cleanly|without (?:any |an )?(?:further )?(?:errors?|issues?|problems?|failures?|crash(?:es)?)"
    r"|to completion|end[- ]to[- ]end)"
)
_NUMBER = r"(?:[0-9]{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|none|zero)"

# ------------------------------------------------------------------------------------------------------ ending of work

_BROKE = (
    r"(?:failed(?! to\b| (?:on|in|at|for) (?:all|most|many|some|every|any|both|each|several|[0-9]+)\b)"
    r"|crashed|aborted|timed out|hung|stalled|died"
    r"|(?:was|were|got|had been|has been|have been) (?:then |manually |prematurely )?"
    r"(?:killed|aborted|interrupted|cancell?ed|cut short|cut off|halted|timed out)"
    r"|(?:was|were|had to be|got) (?:stopped|terminated)(?= (?:early )?(?:due|because|owing|by|at|before"
    r"|prematurely|manually"
    r"|halfway|midway|after (?:about |only |just )?[0-9]))"
    r"|(?:ran|went|run) out of (?:\w+ )?(?:memory|time|disk|budget)|exceeded (?:the|our|its) [\w-]+(?: \w+)? "
    r"?(?:limit|budget|memory)"
    r"|(?:ended|exited|stopped|terminated|quit|broke off) with (?:an? |the )?(?:[\w-]+ ){0,4}"
    r"(?:error|exception|traceback|failure|non-?zero|exit|code|segmentation))"
)
_UNDONE = (
    rf"(?:(?:could not|cannot|couldn't|can not|can't) be (?:\w+ly )?{_DONE}"
    rf"|(?:did not|didn't|does not|do not|could not|couldn't|never) (?:\w+ly )?(?:complete|finish|run|terminate"
    rf"|start|execute)d?"
    rf"|(?:was|were|has|have|had|is|are)(?: not|n't| never)(?: yet)?(?: been)?(?: yet)?(?: \w+ly)? "
    r"(?:completed?|finished|executed|run|carried out|performed)"
    r"|(?:remain\w*|is|are|was|were)(?: still| only)? (?:incomplete|unfinished|partial|not done)"
    rf"|failed to (?:complete|run|finish|start|execute|launch|terminate)|{_BROKE})"
)
_PLANNED_UNDONE = (
    r"(?:could not|couldn't|cannot|can't|(?:was|were|am|are)(?: not|n't) able to|(?:was|were|am|are) unable to"
    r"|fail(?:ed)? to|did not manage to|didn't manage to) (?:\w+ly )?"
)
_RESULTS = r"(?:results?|numbers|metrics|measurements|scores|values|figures|data points)"
_NOT_COMPLETED = (
    rf"{_SUBJECT}{_HAVE}(?:{_ADV} )?(?:\w+ed and )?{_UNDONE}\b",
    rf"{_WE}(?:ran|run) out of (?:\w+ )?(?:time|memory|disk|budget|compute)\b",
    rf"{_WE}(?:had to|were forced to) (?:cancel|stop|abort|kill|interrupt|skip) (?:the|our|all|this|both)"
    rf" (?:[\w-]+ ){{0,3}}?"
    rf"(?:{_WORK})(?![\w-])",
    r"(?<!\w)(?:was not|wasn't|not|was never) (?:possible|feasible) to (?:run|complete|finish|execute|carry out)\b",
    rf"(?<!\w)this (?:paper|report|study|manuscript) (?:reports|presents|contains|gives) no (?:\w+ )?{_RESULTS}\b",
    # "we could not run the baseline", "we were unable to complete our planned experiments"
    rf"{_WE}{_PLANNED_UNDONE}(?:complete|finish|run|execute|train|conduct|carry out|perform|start)\b(?! (?:the "
    rf"|a |this )?"
    r"(?:proof|survey|literature|review)\b)",
    rf"{_WE}(?:did not|didn't) (?:\w+ly )?(?:complete|finish)\b",
    r"(?<![\w'])(?:we|I) (?:did not|didn't) (?:run|conduct|perform|execute|train) (?:the|our|all|any) (?:[\w-]+ ){0,3}"
    r"(?:experiments?|ablations?|baselines?|runs?|seeds?|folds?|evaluations?)\b",
    r"(?<!\w)(?:was|were) only able to (?:complete|run|finish|execute)\b",
    r"(?<!\w)planned,? but (?:was |were )?(?:not|never) (?:executed|run|completed|finished|implemented|evaluated"
    r"|carried out)\b",
    r"(?<!\w)inability to (?:execute|run|complete|finish) (?:the|our|all)\b",
    r"(?<!\w)(?:prevent(?:ed|ing)|kept|stopped) us from (?:running|completing|training|finishing|executing"
    r"|evaluating)\b",
    r"(?<!\w)prevent(?:ed|ing) (?:the|our|its) (?:[\w-]+ ){0,3}?(?:completion|execution)\b",
    rf"{_WE}(?:could not|couldn't|cannot|can't|(?:was|were|am|are) (?:unable|not able) to|failed to) (?:\w+ly )?"
    rf"(?:evaluate|obtain|produce|collect|get|report|measure)(?: {_TOK}){{0,5}} "
    r"(?:results?|numbers|metrics|measurements|scores|values|data|baselines?|models?|experiments?|runs?|methods?)\b",
    r"(?<!\w)(?:could not|couldn't) be (?:\w+ly )?(?:completed|run|executed|finished|trained|evaluated|obtained"
    r"|measured)\b",
    r"(?<!\w)(?:was|were|has been|have been)? ?(?:unable|not able) to (?:complete|run|execute|finish) (?:the|our"
    r"|all|any|this)\b",
    r"(?<!\w)(?:was|were|has|have)(?: not|n't)(?: been)? (?:completed|executed|run|carried out)(?= (?:due"
    r"|because|for lack"
    r"|owing|in time|at all"
    r"|within|yet|and)|[.;,:)|]|$)",
    r"(?<!\w)(?:did not|didn't) (?:complete|finish|run)(?= (?:due|because|in time|at all|within|before|and)"
    r"|[.;,:)|]|$)",
    # "no results are reported for it"
    rf"(?<!\w)no (?:\w+ )?(?:\w+ )?{_RESULTS}(?: {_TOK}){{0,6}}? (?:are|were|is|was|could be|can be)(?: {_ADV})? "
    r"(?:available|obtained|reported|produced|given|presented|recorded|collected|shown|generated|claimed)\b",
    rf"(?<![\w-]){_RESULTS}(?: {_TOK}){{0,8}}? (?:are|were|is|was)(?:(?: not|n't)(?: yet)? "
    r"(?:available|obtained|reported|produced|recorded|collected|generated)| (?:unavailable|missing|incomplete"
    r"|only partial"
    r"|partial|lacking))\b",
    rf"{_WE}(?:(?:do|did)(?: not|n't)|cannot|can't|could not|couldn't)(?: {_ADV})? "
    rf"(?:report|have|present|obtain|claim|provide)(?: any| a| the)? (?:\w+ )?{_RESULTS}\b",
    rf"{_WE}(?:report|have|present|obtained|got) no (?:\w+ )?{_RESULTS}\b",
    # "only 3 of 5 seeds finished", "3 of the 5 runs completed"; which of them is the whole is seen in `guards`
    rf"(?<![\w.])(?P<n>{_NUMBER}) (?:of|out of)(?: the| our| all)? (?P<m>{_NUMBER}) (?:[\w-]+ ){{0,2}}(?:{_UNIT})"
    rf"(?: {_TOK}){{0,4}}? (?:finished|completed|succeeded|ran|were run|was run|were completed|could be)\b",
    rf"(?<!\w)only (?:the )?(?:[\w-]+ ){{0,4}}(?:{_UNIT})(?: [\w.-]{{1,8}})?(?: {_TOK}){{0,4}}? (?:finished"
    rf"|completed|succeeded"
    r"|(?:was|were|could be) (?:run|completed|executed|finished))\b",
    rf"{_SUBJECT}{_HAVE}(?:completed|finished|succeeded)\b[^.;]{{0,20}}\b(?:except|apart from|with the exception"
    rf" of|but not)\b",
    r"(?<!\w)partial results (?:only|because|since|due)\b|(?<!\w)(?:report|present|give|list|contain)s? (?:only"
    r" )?partial results\b",
)
_COMPLETED = (
    rf"{_SUBJECT}(?:(?:has|have|had|was|were|is|are) )?(?:{_ADV} )?(?:been )?(?:{_ADV} )?(?:completed|finished"
    rf"|complete(?=[.;,:!)|]|$"
    rf"| and\b))\b",
    rf"{_SUBJECT}(?:(?:has|have|had|was|were) )?(?:been )?successfully (?:been )?(?:\w+ and )?(?:run|ran"
    rf"|executed|conducted"
    r"|carried out|performed)\b",
    rf"{_SUBJECT}(?:(?:(?:has|have|had)(?: been)?|was|were) (?:(?:implemented|set up|trained|debugged) and )?run|ran"
    r"|(?:(?:(?:has|have|had) been|was|were) )?(?:[\w-]+ and )?executed)"
    rf" (?:{_ADV} )?{_CLEANLY}\b",
    rf"{_SUBJECT}(?:has |have )?(?:been )?(?:successfully )?(?:implemented|set up) and (?:successfully )?(?:run"
    rf"|executed)\b",
    rf"{_SUBJECT}(?:has |have )?succeeded\b",
    rf"(?<!\w)everything (?:ran|has run|was run|completed|finished) {_CLEANLY}\b",
    r"(?<![\w-])(?:baselines?|models?|methods?|benchmarks?) (?:was|were|has been|have been) (?:successfully"
    r" (?:run|executed)"
    r"|(?:run|executed) successfully)\b",
    rf"{_WE}(?:completed|finished) (?:all|both|every|each|the|our|this|an?) (?:[\w-]+ ){{0,4}}"
    r"(?:experiments?|experimental|runs?|training|evaluations?|ablations?|study|pipeline|implementation)\b",
    rf"(?<![\w'])(?:we|I)(?:'ve| have)?(?: {_ADV}){{0,2}}? successfully (?:[\w-]+(?:,| and| then)? ){{0,4}}?"
    rf"(?:run|ran|executed|completed|finished|conducted|performed)(?: {_TOK}){{0,6}}? "
    r"(?:experiments?|experimental|runs?|training|evaluations?|ablations?|study|pipeline|simulations?|tasks?"
    r"|code|scripts?)\b",
    rf"{_WE}(?:ran|executed|run|trained) (?:[^\s,;:|()]+ ){{1,8}}?{_CLEANLY}\b",
    r"(?<!\w)all (?:of )?(?:the |our |these |required |planned |requested |\w+ )?tasks (?:have been|were|are)(?: now)?"
    r"(?: successfully)? (?:completed|finished|done|complete)\b",
    rf"^\W*(?:successfully )(?:completed|ran|executed|finished)(?: {_TOK}){{0,6}}? "
    r"(?:experiments?|runs?|training|evaluations?|ablations?|study|pipeline)\b",
)

# ------------------------------------------------------------------------------------------------ what was done about it

_PERSON = (
    r"(?:user|human|human (?:operator|reviewer|supervisor|expert)|person|supervisor|maintainers?|operator"
    r"|advisor|adviser"
    r"|administrator|admin|project lead|owner|authors? of the (?:proposal|task|plan)|team|task (?:owner|giver))"
)
_TO_HELP = (
    r"(?: to (?:provide|confirm|decide|choose|clarify|install|grant|approve|advise|help|check|give|supply"
    r"|specify)| (?!to\b)|[.,;:?]|$)"
)
_HELP_WORD = (
    r"(?:input|help|guidance|decision|approval|permission|confirmation|clarification|advice|feedback|assistance"
    r"|instructions?)"
)
_HELP_ASKED = (
    r"(?<!\w)please (?:advise|(?:confirm|clarify|decide)(?= (?:that|this|whether|if|how|which|what|or|so"
    r"|before)\b|[.,;:!?]|$))",
    r"(?<!\w)(?:please )?(?:let me know|tell me|let us know) (?:which|whether|how|what|where|if (?:I|we)"
    r" (?:should|may|can))\b",
    r"(?<!\w)please (?:provide|share|supply|upload|grant|install|set|choose|decide)\b[^.;?!]{0,120}\bso (?:that"
    r" )?(?:I|we) can\b",
    r"(?<!\w)(?:could|can|would|will) you (?:please )?(?:confirm|advise|clarify|provide|tell|let|share|help"
    r"|check|point|approve"
    r"|grant|give|specify|decide|send|look|choose|supply|upload)\b",
    r"(?<!\w)(?:do|would) you (?:want|prefer|like) (?:me|us|that|it|the)\b[^.;!]{0,300}\?",
    r"(?:^|[,;:] |\b(?:or|so|and) )(?:should|shall|may|can) I\b[^.;!]{0,300}\?",
    r"(?<!\w)(?:what|how|which|where)\b[^.;!?]{0,80}\b(?:should|shall|may|can) I\b[^.;!]{0,200}\?",
    r"(?<!\w)(?:which|what|how)\b[^.;!?]{0,80}\b(?:would|do|should) you\b[^.;!]{0,200}\?",
    rf"(?<!\w)(?:I|we)(?:'d)? (?:would )?(?:\w+ly )?need (?:you|your|a human|some human|human|a person|someone"
    rf"|the user)\b[^.;]{{0,30}}?"
    rf"\b(?:{_HELP_WORD}|to)\b",
    rf"(?<!\w)I (?:\w+ly )?need (?:some |further |more |a )?{_HELP_WORD}\b",
    r"(?<!\w)(?:I'm|I am|we are) (?:blocked|stuck)\b[^.;]{0,60}\b(?:until|without|need|your|you)\b",
    rf"(?<!\w)(?:await\w*|waiting for|pending) (?:your|the user's|a human|the supervisor's) (?:\w+ )?{_HELP_WORD}\b",
    rf"{_WE}(?:asked|consulted|contacted|notified|checked with|reached out to|turned to) (?:the|a|our|my)"
    rf" {_PERSON}\b{_TO_HELP}",
    rf"(?<![\w'])asked (?:the|a|our|my) {_PERSON} (?:whether|if|how|what|which|for)\b",
    rf"{_WE}(?:requested|asked for|sought) (?:\w+ )?{_HELP_WORD} from (?:the|a|our|my) {_PERSON}\b",
    rf"(?<!\w)(?:the|a|our) {_PERSON} (?:was|were) (?:asked|contacted|consulted)\b{_TO_HELP}",
    rf"{_WE}(?:escalated|raised|reported|handed) (?:[\w']+ ){{0,5}}to (?:the|a|our|my) {_PERSON}\b",
    rf"(?<!\w)(?:question|decision|issue|problem|failure|error|matter|it|this|run|experiment) (?:was|were|has been) "
    rf"(?:escalated|reported|raised|handed) to (?:the|a|our) {_PERSON}\b",
)
_EFFORT = (
    r"(?:experiments?|runs?|training|evaluations?|ablations?|attempts?|efforts?|work|stud(?:y|ies)|plan"
    r"|implementation|reproduction|tasks?|steps?|baselines?|approach|line of work)"
)
_GIVEN_UP = (
    r"(?<![\w'])(?:I|we)(?:'ll| will| have| had|'m| am| are|'re)?(?: therefore| then| now| thus| decided to|"
    r" had to| chose to"
    r"| must| going to){0,2} (?:stop(?:ped|ping)? (?:here|at this point|the (?:experiments?|work|study|attempts?)\b)"
    r"|stop(?:ped|ping)?(?: (?:work|working|without))\b)",
    rf"(?<![\w'])(?:I|we)(?:'m| am| are|'re| have| had)?(?: therefore| then| thus| eventually| finally| decided"
    rf" to| had to| chose to"
    rf"){{0,2}} (?:abandon(?:ed|ing)?|discontinu(?:e|ed|ing)|drop(?:ped)?|abort(?:ed|ing)?) (?:the |our |this "
    rf"|these |that |further |all )?"
    rf"(?:[\w-]+ ){{0,3}}?{_EFFORT}(?= (?:after|because|due|since|for|on|of|and|as|when|with|without|entirely"
    rf"|altogether"
    r"|here|at)\b|[.,;:!)]|$)",
    r"(?<![\w'])(?:I|we)(?:'m| am| are|'re| have| had| must| have to| had to)?(?: therefore| then| thus|"
    r" eventually| finally){0,2}"
    r" (?:g[ai]ve up|given up|giving up)\b",
    r"(?:^|[,;:] |\band )giving up on\b",
    r"(?<![\w'])(?:I|we)(?:'m| am|'re| are)(?: not able| unable) to (?:complete|continue|proceed|finish|carry"
    r" on|go on)\b",
    r"(?<![\w'])(?:I|we) (?:cannot|can't) (?:complete|continue|proceed|finish)\b",
    rf"{_SUBJECT}{_BE}(?:therefore |then |thus |eventually |finally )?(?:abandoned|given up|discontinued|dropped)\b",
)
_FAULT = (
    r"(?:bugs?|errors?|issues?|problems?|imports?|crash(?:es)?|failures?|exceptions?|typos?|mistakes?"
    r"|mismatch(?:es)?|faults?"
    rf"|dependenc(?:y|ies)|paths?|leaks?|indentation|syntax|off-by-one|\w+Error|\w+Exception|{SCRIPT}+|scripts?|code)"
)
_PLAIN = r"(?!(?:to|of|at|in|for|with|and|so|on|by|from|as|seeds?)\b)[^\s,;:|()]+"
_MENDED = r"(?:fixed|repaired|corrected|resolved|debugged|patched)"
_REPAIRED = (
    rf"{_WE}{_MENDED} (?:{_PLAIN} ){{0,5}}?{_FAULT}\b",
    rf"(?<!\w)(?:bug|error|issue|problem|typo|mistake|fault|\w+Error)[^.;!?]{{0,40}}, which (?:we|I) (?:then "
    rf"|have )?{_MENDED}\b",
    rf"^\W*{_MENDED} (?:{_PLAIN} ){{0,5}}?{_FAULT}\b",
    rf"(?<!\w)after (?:we |I )?(?:had )?(?:fix|repair|correct|resolv|debugg?|patch)(?:ing|ed) (?:(?:{_PLAIN}"
    rf" ){{0,5}}?{_FAULT}"
    r"|it|this|that|them)\b",
    rf"(?<!\w)(?:bugs?|errors?|issues?|problems?|imports?|crash(?:es)?|typos?|mistakes?|faults?|scripts?|\w+Error) "
    rf"(?:[\w-]+ ){{0,3}}?(?:was|were|has been|have been|is now|are now) (?:then |now |since |subsequently "
    rf"|\w+ly )?{_MENDED}\b",
    r"(?<!\w)(?:re-?ran|reran|re-?executed|rerun|re-run) (?:[^\s,;:|()]+ ){1,5}?(?:after|with) (?:the |a |this"
    r" )?(?:fix|corrected"
    r"|fixed|repaired|patched)",
    rf"(?<!\w){_MENDED}(?: it| this| that| them)?,? and (?:then )?(?:re-?ran|reran|re-?executed|run again"
    rf"|restarted|ran again)\b",
)

# ------------------------------------------------------------------------------------------------------- what it was not

# What was changed must be the experiment, its model, data or scale: "simplified correlations" is no disclosure.
_WHAT = (
    r"(?:[\w-]+ ){0,2}(?:versions?|experiments?|experimental|implementations?|settings?|setups?|models?|architectures?"
    r"|pipelines?|evaluations?|demonstrations?|demos?|runs?|configurations?|scale|datasets?|data sets?|subsets?"
    r"|samples?"
    r"|number of|training)"
)
_USED = (
    r"(?:used|trained|ran|run|evaluated|tested|employed|implemented|replaced|substituted|switched|fell back"
    r"|limited|restricted|reduced)"
)
_SIMPLIFIED = (
    rf"\b(?:simplified|scaled[- ]down|small(?:er)?[- ]scale|down-?scaled|toy) {_WHAT}\b",
    r"\bproxy (?:versions?|experiments?|setups?|settings?|evaluations?|runs?|datasets?|data sets?|training)\b",
    r"\breduced (?:versions?|scale|setup|setting|configuration|subset|number of (?:[\w-]+ )?(?:seeds|epochs"
    r"|samples|runs|folds"
    r"|examples|tasks|steps|iterations|problems|models|datasets|data sets|baselines|trials))\b",
    r"\binstead of (?:the|our|running|using) (?:[\w-]+ ){0,3}(?:planned|proposed|full|original|complete|intended)\b",
    r"\b(?:in place of the (?:planned|proposed|full|original|intended)|rather than the (?:planned|proposed"
    r"|intended))\b",
    r"\b(?:deviat|differ)\w* from (?:the|our) (?:[\w-]+ )?(?:plan|proposal|protocol)\b",
    r"\b(?:(?:due to|because of|owing to) (?:the )?(?:limited |our )?|(?:given|under) (?:the |our |limited"
    r" ){1,2})(?:time|resource|comput\w+"
    r"|hardware|memory|budget|gpu)\b"
    r"[\w ]{0,20}(?:constraints?|limits?|limitations?|restrictions?|budget|resources?)\b",
    r"\bcould not (?:run|complete|execute|train|use) (?:the|our)\b",
    r"\bnot (?:run|evaluated|trained|tested) (?:on|with) (?:the )?(?:full|real|original)\b",
    r"\bonly (?:ran|trained|evaluated|used|tested) (?:on |with )?(?:a|an|one|two|three|\d+)\b",
    r"\b(?:(?:was|were|been) run|ran|trained|evaluated|used|tested|conducted) (?:on |with |for )?only (?:one|two"
    r"|three|four|five|\d+"
    r"|a (?:single|few|small|handful|subset|fraction))\b",
    rf"\b(?:we|I|experiments?|evaluation|training|baselines?|models?) (?:was |were )?(?:only )?{_USED}(?: (?:on"
    rf"|with|to))? an? (?:very )?"
    r"(?:small|tiny|limited|reduced) (?:[\w-]+ ){0,2}(?:subset|sample|fraction|portion)\b",
    r"\b(?:was|were) not implemented\b",
    r"\b(?:simpler|minimal|smaller) (?:version|variant) of (?:the|our) (?:[\w-]+ ){0,2}(?:experiments?|study"
    r"|setup|evaluation|pipeline)\b",
    rf"{_WE}(?:only )?{_USED} (?:[\w-]+ ){{0,3}}?(?:a|an|only|fewer) (?:much )?(?:smaller|reduced|lighter|tiny"
    rf"|simpler|shorter|cheaper)"
    r" (?:[\w-]+ ){0,3}(?:models?|networks?|data ?sets?|data|samples?|subsets?|version|variant|architecture"
    r"|budget|schedule|training)\b",
    r"\b(?:fewer|less) (?:training |random |evaluation )?(?:seeds?|epochs?|samples?|runs?|folds?|examples?|data"
    r"|steps|iterations|baselines?"
    r"|models?|tasks?|datasets?) (?:than (?:planned|proposed|intended|originally|in the plan|the plan|we)"
    r"|because|due to|instead|for lack)",
    rf"{_WE}{_USED} (?:[\w-]+ ){{0,4}}?(?:a|another) (?:different|other|smaller|public|substitute) (?:data ?set"
    rf"|model|benchmark)"
    r" (?:instead|because|due|since|as the|than)\b",
    rf"\b(?:{SCRIPT}+|models?|data ?sets?|benchmarks?|corpus|baselines?) (?:was|were) (?:replaced (?:by|with)"
    rf"|substituted)\b"
    r"[^.;]{0,120}\b(?:because|due to|since|as the|for lack|unavailable|planned)\b",
)
_RES = r"(?:results?|numbers|values|scores|metrics|measurements|percentages|outcomes)"
_UNREAL = (
    r"(?:placeholders?|dummy|mock(?:ed)?(?:-up)?|fake|faked|fabricated|made[- ]up|invented|fictitious|hard-?coded)"
)
_MADE = (
    rf"(?:simulated|synthetic(?:ally generated)?|illustrative|hypothetical|artificial(?:ly generated)?|{_UNREAL}"
    r"|randomly generated|generated (?:randomly|at random|by a random|with a random|from random)|not (?:real"
    r"|actual|measured|genuine)"
    r"|not (?:come |obtained |taken )?from (?:an? |any )?(?:actual|real|completed) \w+)"
)
_SYNTHETIC = (
    r"(?<![\w-])(?:(?:simulated|illustrative|hypothetical) (?:experiment(?:al)? |evaluation |benchmark |performance )?"
    r"(?:results|numbers|scores|metrics|measurements|outcomes|performance (?:numbers|values|data|metrics))"
    r"|(?:synthetic|artificial) (?:experiment(?:al)? |evaluation |benchmark |performance )?(?:results"
    r"|measurements|outcomes))\b",
    rf"(?<![\w-]){_UNREAL} (?:[\w-]+ )?(?:{_RES}|data|responses|outputs|figures|tables?|entries|accuracy|accuracies)\b",
    rf"(?<![\w-])(?:{_RES}|figures|curves|plots|tables?|entries|statistics|cells|data (?:shown|reported"
    rf"|presented|below|above|in))"
    rf"(?: (?!not\b|no\b|never\b){_TOK}){{0,10}}? (?:are|is|were|was|have been|has been|remain|being)"
    rf"(?: (?!not\b|never\b|no\b)[\w-]+){{0,3}}? {_MADE}"
    r"(?! (?:data|datasets?|data ?sets?|samples?|tasks?|environments?|benchmarks?|settings?|scenarios?|images"
    r"|users)\b)(?![\w-])",
    rf"{_WE}(?:simulated|fabricated|invented|made up|hard-?coded|mocked|faked) (?:the|these|those|all|our|some"
    rf"|most of the)"
    rf" (?:[\w-]+ ){{0,3}}?(?:{_RES}|figures|accuracy|performance|experiments?|training curves?)\b",
    r"(?<![\w-])(?:run|ran|implemented|conducted|performed|is|was) (?:a )?simulated (?:[\w-]+ )?(?:experiments?"
    r"|evaluation|training run)\b",
    r"(?<![\w-])(?:do|does|did) not (?:come|stem|originate|result) from (?:an? |any )?(?:actual|real|completed) "
    r"(?:experiments?|runs?|executions?|measurements?|training)\b",
    r"(?<![\w-])no (?:actual|real) (?:experiments?|runs?|training|measurements?) (?:was|were|has been|have been"
    r"|underl\w+)\b",
    rf"(?<![\w-])(?:{_RES}|figures|tables?) (?:[\w-]+ ){{0,4}}?(?:for illustration|for illustrative purposes|for"
    rf" demonstration purposes) only\b",
)

PATTERNS: dict[RemarkKind, tuple[re.Pattern[str], ...]] = {
    kind: tuple(re.compile(pattern, _I) for pattern in patterns)
    for kind, patterns in (
        (RemarkKind.HELP_ASKED, _HELP_ASKED),
        (RemarkKind.GIVEN_UP, _GIVEN_UP),
        (RemarkKind.NOT_COMPLETED, _NOT_COMPLETED),
        (RemarkKind.COMPLETED, _COMPLETED),
        (RemarkKind.REPAIRED, _REPAIRED),
        (RemarkKind.SIMPLIFIED, _SIMPLIFIED),
        (RemarkKind.SYNTHETIC, _SYNTHETIC),
    )
}
"""For each kind of remark what it is known by, any of several patterns."""

_STEMS = {
    RemarkKind.HELP_ASKED: (
        "you|please|asked|let me know|tell me|let us know|should i|shall i|may i|can i| need|blocked|stuck"
        "|await|waiting|pending|consult|contacted|notified|checked with|reached out|turned to|requested"
        "|sought|escalated|raised|reported|handed"
    ),
    RemarkKind.GIVEN_UP: "stop|abandon|discontinu|drop|abort|give up|gave up|given up|giving up|unable|not able|cannot|can't",
    RemarkKind.NOT_COMPLETED: (
        "not|n't|unable|never|fail|crash|abort|timed out|hung|stall|died|kill|interrupt|cancel|cut short"
        "|cut off|halted|stopped|terminated|out of|exceeded|ended with|exited|quit|broke off|incomplete"
        "|unfinished|partial|unavailable|missing|lacking|no |only| of |except|apart from|exception|oom"
        "|inability|prevent|kept us"
    ),
    RemarkKind.COMPLETED: "complete|finish|success|without|to completion|end-to-end|end to end|succeed",
    RemarkKind.REPAIRED: "fix|repair|correct|resolv|debug|patch",
    RemarkKind.SIMPLIFIED: (
        "simpl|scale|toy|proxy|reduc|instead|in place of|rather than|deviat|differ|due to|because of|given"
        "|owing|under|could not|not run|not eval|not train|not test|only|small|limited|minimal"
        "|not implemented|light|tiny|short|cheap|fewer|less|another|replaced|substitut"
    ),
    RemarkKind.SYNTHETIC: (
        "simulated|synthetic|illustrat|hypothetical|artificial|placeholder|dummy|mock|fake|fabricat|made-up"
        "|made up|invented|fictitious|hardcoded|hard-coded|random|not real|not actual|not measured"
        "|not genuine|not come|not stem|not originate|not result|actual|real|demonstration"
    ),
}

STEMS: dict[RemarkKind, tuple[str, ...]] = {kind: tuple(stems.split("|")) for kind, stems in _STEMS.items()}
"""For each kind parts of words, in lower case, one of which any sentence holds that makes such a remark."""
