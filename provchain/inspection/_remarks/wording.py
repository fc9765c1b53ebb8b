"""The wording by which each kind of remark is known. Patterns only; which match counts is decided in ``guards``.

A pattern sees one sentence with single spaces. Each is bounded or anchored, so that no sentence takes longer than its length.
A group ``n`` and ``m`` counts units ("3 of 5"); a group ``subject`` is what the predicate is said of.
"""

from __future__ import annotations

import re

from provchain.inspection._remarks.changes import SIMPLIFIED, SIMPLIFIED_STEMS
from provchain.inspection._remarks.prose import CODE, SCRIPT
from provchain.inspection._remarks.speech import ADVERB, NOUN_WORD, PLANNED, WE
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
# What may stand between a subject and its predicate: its name, a remark in brackets, "on CIFAR-10 with 5 seeds".
_GAP = (
    rf"(?: (?:#?[\w.-]*[0-9][\w.-]*|[A-Z]|[{SCRIPT}{CODE}]+))?(?: \([^()]{{0,80}}\))?"
    rf"(?: (?:of|on|with|for|in|at|using|over|under|from) {NOUN_WORD}(?: {NOUN_WORD}){{0,5}}?)?(?: {ADVERB}){{0,2}}?"
)
_SUBJECT = rf"(?<![\w-])(?P<subject>{_WORK})(?![\w-]){_GAP} "
_BE = r"(?:(?:was|were|is|are|has been|have been|had been|got) )"
_HAVE = r"(?:(?:has|have|had) )?"
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
# Work of any field, as long as what is said of it is that it ended.
_STUDY = (
    r"screens?|screenings?|surveys?|(?:field |clinical |laboratory |lab )?trials?|(?:[\w-]+ )?campaigns?|comparisons?"
    r"|assays?|calculations?|computations?|sequencing|interviews|field ?work|simulations?|measurements?|analys[ei]s"
    r"|annotation|stud(?:y|ies)|reproduction"
    r"|docking"
    r"|(?:data )?(?:collection|acquisition|sampling)|(?:planned|intended) (?:[\w-]+ ){0,2}[\w-]+"
)
_OF_STUDY = (
    rf"(?<![\w-])(?:the|our|this|that|second|first|whole|entire) (?:[\w-]+"
    rf" ){{0,2}}?(?P<subject>{_STUDY})(?![\w-]){_GAP} "
)
# What is done is work, whatever its name: only work is carried out, conducted or completed.
_CARRIED_OUT = (
    r"(?:carried out|performed|conducted|run|executed|completed|finished|done|undertaken|started|begun|repeated"
    r"|measured"
    r"|obtained|collected|recorded|acquired|taken|trained|evaluated|tested|administered|fielded|held|concluded"
    r"|realised|recruited"
    r"|read|sequenced|scanned|sampled|analy[sz]ed|processed|visited|interviewed|surveyed|imaged"
    r"|realized|made to (?:run|work))"
)
_BY_WHOM = (
    r"(?! (?:by|on|with|for|from|to|in (?:real|parallel)|over|at (?:the )?(?:edge|scale))\b(?! (?:us|this|our|time)\b))"
)
_NOT_DONE = r"(?:was|were|has|have|had|is|are)(?: not|n't| never)(?: yet)?(?: been)?(?: yet)?(?: \w+ly)?"
_REASON = r"(?= (?:due|because|for lack|for want|owing|as (?:the|it|no|we|its)|since|after|in time|at all)\b)"
_CALLED_OFF = (
    r"(?:called off|broken off|cut short|abandoned|cancell?ed|aborted|discontinued|suspended|stopped|terminated"
    r"|postponed|interrupted)"
)
_NOT_COMPLETED = (
    rf"{_SUBJECT}{_HAVE}(?:{ADVERB} )?(?:\w+ed and )?{_UNDONE}\b",
    rf"{_OF_STUDY}{_HAVE}(?:(?:did not|didn't|never) (?:\w+ly )?(?:complete|finish|start|take place)"
    rf"|{_NOT_DONE} (?:completed|finished|carried out|conducted)|failed to (?:complete|run|finish|start)|{_BROKE}"
    rf"|{_BE}(?:unsuccessful|called off|broken off|cut short))\b{_BY_WHOM}",
    rf"(?<!\w)(?:could not|couldn't) be (?:\w+ly )?{_CARRIED_OUT}\b{_BY_WHOM}",
    rf"(?<![\w-]){PLANNED} (?:[\w-]+ ){{1,4}}?(?:{_NOT_DONE} "
    rf"(?:{_CARRIED_OUT}|possible|feasible|implemented|made){_BY_WHOM}|(?:did not|didn't|could not) (?:take place"
    rf"|happen|go ahead"
    r"|materiali[sz]e))\b",
    rf"(?<!\w){_NOT_DONE} (?:performed|conducted|done|undertaken|measured|collected|administered|started|carried"
    rf" out)\b{_REASON}",
    rf"(?<![\w-])had to be (?:\w+ly )?{_CALLED_OFF}\b",
    r"(?<![\w-])(?:was|were|has been|have been) never (?:\w+ly )?(?:carried out|performed|conducted|completed"
    r"|finished|recruited"
    rf"|started|begun|held|undertaken)\b{_BY_WHOM}",
    r"(?<![\w-])(?:could not|couldn't|did not|didn't) (?:take place|go ahead)\b",
    r"(?<![\w-])(?:proved|was|were|became|turned out to be|found it) (?:impossible|infeasible|unfeasible) to (?:run"
    r"|carry out|conduct"
    r"|perform|complete|finish|execute|measure|collect|obtain|train|start|recruit|reproduce)\b",
    rf"{WE}(?:did not|didn't|could not|never) succeed in (?:run|carry|conduct|perform|complet|finish|execut|measur"
    rf"|collect|obtain"
    r"|train|start|recruit|reproduc|gett|mak)\w*ing\b",
    rf"{WE}never (?:ran|conducted|performed|executed|completed|finished|started|carried out) (?:the|our|all|any)\b",
    r"(?<![\w-])none of (?:our|my|the|these) (?:[\w-]+ ){0,2}attempts? (?:[^.;]{1,60} )?(?:succeeded|worked|(?:was"
    r"|were) successful)\b",
    rf"{_OF_STUDY}(?:is|are|was|were) missing(?= (?:because|since|as|due|owing)\b|[.;,]|$)",
    r"(?<![\w-])(?:all|both|every|each|none|several|repeated|three|two|four|five|[0-9]{1,3}) (?:of )?(?:(?:our|my"
    r"|the|these|such|other"
    r"|further|subsequent|repeated|later|remaining|[0-9]{1,3}|two|three|four|five) ){0,2}attempts?"
    r"(?: (?:to|at|with) [^.;]{1,80}?)? (?:failed|(?:was|were) (?:unsuccessful|in vain|without success)|did not"
    r" succeed|crashed"
    r"|came to nothing|ended (?:in|with) (?:an? )?(?:error|failure|crash\w*))",
    rf"{_SUBJECT}(?:did not|didn't|never) (?:\w+ly )?(?:get|got|make it|made it|proceed|go|went|advance|progress)"
    rf" (?:past|beyond|further"
    rf" than)\b",
    rf"{WE}(?:did not|didn't|never|could not) (?:get|got|make it|proceed|go|advance) (?:past|beyond|further than)\b",
    r"(?<!\w)no (?:(?!significant\b|statistical\w*|measurable\b|further\b|new\b|clear\b)[\w-]+"
    r" ){0,3}?(?!improvements?\b|gains?\b"
    r"|benefits?\b|differences?\b|changes?\b|effects?\b|errors?\b|advantages?\b|consensus\b|agreement\b|consent\b"
    r"|evidence\b"
    r"|convergence\b)[\w-]+ (?:could be (?:collected|recorded|taken|run|carried out|performed|made)|(?:was|were"
    r"|could be|have been"
    r"|has been) (?:obtained|acquired|measured|determined))\b(?! (?:against|by(?! us))\b)",
    r"(?<!\w)no (?:usable|valid|complete|reliable|final|actual) (?:[\w-]+ ){0,3}?(?:was|were|could be|have been|has"
    r" been) (?:collected"
    r"|recorded|produced|gathered|generated|available|left)\b",
    rf"{WE}(?:do|did|can|could)(?: not|n't) (?:therefore |thus )?report any\b(?! (?:conflicts?|gains?|improvements?"
    rf"|competing)\b)",
    rf"{WE}(?:had|have|got|obtained|collected) no (?:usable|valid|complete|final) [\w-]+",
    rf"{WE}(?:ran|run) out of (?:\w+ )?(?:time|memory|disk|budget|compute)\b",
    rf"{WE}(?:had to|were forced to) (?:cancel|stop|abort|kill|interrupt|skip) (?:the|our|all|this|both)"
    rf" (?:[\w-]+ ){{0,3}}?"
    rf"(?:{_WORK})(?![\w-])",
    r"(?<!\w)(?:was not|wasn't|not|was never) (?:possible|feasible) to (?:run|complete|finish|execute|carry out)\b",
    rf"(?<!\w)this (?:paper|report|study|manuscript) (?:reports|presents|contains|gives) no (?:\w+ )?{_RESULTS}\b",
    # "we could not run the baseline", "we were unable to complete our planned experiments"
    rf"{WE}{_PLANNED_UNDONE}(?:complete|finish|run|execute|train|conduct|carry out|perform|start)\b(?! (?:the "
    rf"|a |this )?"
    r"(?:proof|survey|literature|review)\b)",
    rf"{WE}(?:did not|didn't) (?:\w+ly )?(?:complete|finish)\b",
    r"(?<![\w'])(?:we|I) (?:did not|didn't) (?:run|conduct|perform|execute|train) (?:the|our|all|any) (?:[\w-]+ ){0,3}"
    r"(?:experiments?|ablations?|baselines?|runs?|seeds?|folds?|evaluations?)\b",
    r"(?<!\w)(?:was|were) only able to (?:complete|run|finish|execute)\b",
    r"(?<!\w)planned,? but (?:was |were )?(?:not|never) (?:executed|run|completed|finished|implemented|evaluated"
    r"|carried out)\b",
    r"(?<!\w)inability to (?:execute|run|complete|finish) (?:the|our|all)\b",
    r"(?<!\w)(?:prevent(?:ed|ing)|kept|stopped) us from (?:running|completing|training|finishing|executing"
    r"|evaluating)\b",
    r"(?<!\w)prevent(?:ed|ing) (?:the|our|its) (?:[\w-]+ ){0,3}?(?:completion|execution)\b",
    rf"{WE}(?:could not|couldn't|cannot|can't|(?:was|were|am|are) (?:unable|not able) to|failed to) (?:\w+ly )?"
    rf"(?:evaluate|obtain|produce|collect|get|report|measure)(?: {NOUN_WORD}){{0,5}} "
    r"(?:results?|numbers|metrics|measurements|scores|values|data|baselines?|models?|experiments?|runs?|methods?)\b",
    r"(?<!\w)(?:was|were|has been|have been)? ?(?:unable|not able) to (?:complete|run|execute|finish) (?:the|our"
    r"|all|any|this)\b",
    r"(?<!\w)(?:was|were|has|have)(?: not|n't)(?: been)? (?:completed|executed|run|carried out)(?= (?:due"
    r"|because|for lack"
    r"|owing|in time|at all"
    r"|within|yet|and)|[.;,:)|]|$)",
    r"(?<!\w)(?:did not|didn't) (?:complete|finish|run)(?= (?:due|because|in time|at all|within|before|and)"
    r"|[.;,:)|]|$)",
    # "no results are reported for it"
    rf"(?<!\w)no (?:\w+ )?(?:\w+ )?{_RESULTS}(?: {NOUN_WORD}){{0,6}}? (?:are|were|is|was|could be|can"
    rf" be)(?: {ADVERB})? "
    r"(?:available|obtained|reported|produced|given|presented|recorded|collected|shown|generated|claimed)\b",
    rf"(?<![\w-]){_RESULTS}(?: {NOUN_WORD}){{0,8}}? (?:are|were|is|was)(?:(?: not|n't)(?: yet)? "
    r"(?:available|obtained|reported|produced|recorded|collected|generated)| (?:unavailable|missing|incomplete"
    r"|only partial"
    r"|partial|lacking))\b",
    rf"{WE}(?:(?:do|did)(?: not|n't)|cannot|can't|could not|couldn't)(?: {ADVERB})? "
    rf"(?:report|have|present|obtain|claim|provide)(?: any| a| the)? (?:\w+ )?{_RESULTS}\b",
    rf"{WE}(?:report|have|present|obtained|got) no (?:\w+ )?{_RESULTS}\b",
    # "only 3 of 5 seeds finished", "3 of the 5 runs completed"; which of them is the whole is seen in `guards`
    rf"(?<![\w.])(?P<n>{_NUMBER}) (?:of|out of)(?: the| our| all)? (?P<m>{_NUMBER}) (?:[\w-]+ ){{0,2}}(?:{_UNIT})"
    rf"(?: {NOUN_WORD}){{0,4}}? (?:finished|completed|succeeded|ran|were run|was run|were completed|could be)\b",
    rf"(?<!\w)only (?:the )?(?:[\w-]+ ){{0,4}}(?:{_UNIT})(?: [\w.-]{{1,8}})?(?: {NOUN_WORD}){{0,4}}? (?:finished"
    rf"|completed|succeeded"
    r"|(?:was|were|could be) (?:run|completed|executed|finished))\b",
    rf"{_SUBJECT}{_HAVE}(?:completed|finished|succeeded)\b[^.;]{{0,20}}\b(?:except|apart from|with the exception"
    rf" of|but not)\b",
    r"(?<!\w)partial results (?:only|because|since|due)\b|(?<!\w)(?:report|present|give|list|contain)s? (?:only"
    r" )?partial results\b",
)
_COMPLETED = (
    rf"{_SUBJECT}(?:(?:has|have|had|was|were|is|are) )?(?:{ADVERB} )?(?:been )?(?:{ADVERB} )?(?:completed|finished"
    rf"|complete(?=[.;,:!)|]|$"
    rf"| and\b))\b",
    rf"{_SUBJECT}(?:(?:has|have|had|was|were) )?(?:been )?successfully (?:been )?(?:\w+ and )?(?:run|ran"
    rf"|executed|conducted"
    r"|carried out|performed)\b",
    rf"{_SUBJECT}(?:(?:(?:has|have|had)(?: been)?|was|were) (?:(?:implemented|set up|trained|debugged) and )?run|ran"
    r"|(?:(?:(?:has|have|had) been|was|were) )?(?:[\w-]+ and )?executed)"
    rf" (?:{ADVERB} )?{_CLEANLY}\b",
    rf"{_SUBJECT}(?:has |have )?(?:been )?(?:successfully )?(?:implemented|set up) and (?:successfully )?(?:run"
    rf"|executed)\b",
    rf"{_SUBJECT}(?:has |have )?succeeded\b",
    rf"(?<!\w)everything (?:ran|has run|was run|completed|finished) {_CLEANLY}\b",
    r"(?<![\w-])(?:baselines?|models?|methods?|benchmarks?) (?:was|were|has been|have been) (?:successfully"
    r" (?:run|executed)"
    r"|(?:run|executed) successfully)\b",
    rf"{WE}(?:completed|finished) (?:all|both|every|each|the|our|this|an?) (?:[\w-]+ ){{0,4}}"
    r"(?:experiments?|experimental|runs?|training|evaluations?|ablations?|study|pipeline|implementation)\b",
    rf"(?<![\w'])(?:we|I)(?:'ve| have)?(?: {ADVERB}){{0,2}}? successfully (?:[\w-]+(?:,| and| then)? ){{0,4}}?"
    rf"(?:run|ran|executed|completed|finished|conducted|performed)(?: {NOUN_WORD}){{0,6}}? "
    r"(?:experiments?|experimental|runs?|training|evaluations?|ablations?|study|pipeline|simulations?|tasks?"
    r"|code|scripts?)\b",
    rf"{WE}(?:ran|executed|run|trained) (?:[^\s,;:|()]+ ){{1,8}}?{_CLEANLY}\b",
    r"(?<!\w)all (?:of )?(?:the |our |these |required |planned |requested |\w+ )?tasks (?:have been|were|are)(?: now)?"
    r"(?: successfully)? (?:completed|finished|done|complete)\b",
    rf"^\W*(?:successfully )(?:completed|ran|executed|finished)(?: {NOUN_WORD}){{0,6}}? "
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
    rf"{WE}(?:asked|consulted|contacted|notified|checked with|reached out to|turned to) (?:the|a|our|my)"
    rf" {_PERSON}\b{_TO_HELP}",
    rf"(?<![\w'])asked (?:the|a|our|my) {_PERSON} (?:whether|if|how|what|which|for)\b",
    rf"{WE}(?:requested|asked for|sought) (?:\w+ )?{_HELP_WORD} from (?:the|a|our|my) {_PERSON}\b",
    rf"(?<!\w)(?:the|a|our) {_PERSON} (?:was|were) (?:asked|contacted|consulted)\b{_TO_HELP}",
    rf"{WE}(?:escalated|raised|reported|handed) (?:[\w']+ ){{0,5}}to (?:the|a|our|my) {_PERSON}\b",
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
    rf"{WE}(?:had to|were forced to|was forced to|were obliged to) (?:\w+ly )?(?:abandon|call off|break off"
    rf"|discontinue|cancel"
    r"|give up(?: on)?) (?:the |our |this |these |that |all |both |any )?(?!(?:[\w-]+ )?(?:assumptions?|ideas?"
    r"|hypothes[ie]s|notions?"
    r"|claims?|views?|beliefs?|constraints?|requirements?)\b)[\w-]+",
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
    rf"{WE}{_MENDED} (?:{_PLAIN} ){{0,5}}?{_FAULT}\b",
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
    rf"(?: (?!not\b|no\b|never\b){NOUN_WORD}){{0,10}}? (?:are|is|were|was|have been|has been|remain|being)"
    rf"(?: (?!not\b|never\b|no\b)[\w-]+){{0,3}}? {_MADE}"
    r"(?! (?:data|datasets?|data ?sets?|samples?|tasks?|environments?|benchmarks?|settings?|scenarios?|images"
    r"|users)\b)(?![\w-])",
    rf"{WE}(?:simulated|fabricated|invented|made up|hard-?coded|mocked|faked) (?:the|these|those|all|our|some"
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
        (RemarkKind.SIMPLIFIED, SIMPLIFIED),
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
    RemarkKind.GIVEN_UP: (
        "stop|abandon|discontinu|drop|abort|call off|break off|cancel|give up|gave up|given up|giving up"
        "|unable|not able|cannot|can't"
    ),
    RemarkKind.NOT_COMPLETED: (
        "not|n't|unable|never|fail|crash|abort|timed out|hung|stall|died|kill|interrupt|cancel|cut short"
        "|cut off|halted|stopped|terminated|out of|exceeded|ended with|exited|quit|broke off|incomplete"
        "|unfinished|partial|unavailable|missing|lacking|no |only| of |except|apart from|exception|oom"
        "|inability|prevent|kept us|called off|unsuccess|in vain|broken off|discontinued|suspended|postponed|abandon"
        "|came to nothing|ended|impossible|infeasible|unfeasible"
    ),
    RemarkKind.COMPLETED: "complete|finish|success|without|to completion|end-to-end|end to end|succeed",
    RemarkKind.REPAIRED: "fix|repair|correct|resolv|debug|patch",
    RemarkKind.SIMPLIFIED: SIMPLIFIED_STEMS,
    RemarkKind.SYNTHETIC: (
        "simulated|synthetic|illustrat|hypothetical|artificial|placeholder|dummy|mock|fake|fabricat|made-up"
        "|made up|invented|fictitious|hardcoded|hard-coded|random|not real|not actual|not measured"
        "|not genuine|not come|not stem|not originate|not result|actual|real|demonstration"
    ),
}

STEMS: dict[RemarkKind, tuple[str, ...]] = {kind: tuple(stems.split("|")) for kind, stems in _STEMS.items()}
"""For each kind parts of words, in lower case, one of which any sentence holds that makes such a remark."""
