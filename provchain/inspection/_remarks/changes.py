"""The wording by which a text tells that something was done otherwise than planned: smaller, simpler, or something else.

What a design chose is no change of plan: there must be a plan that was left, a lack that forced the change, or a part of the
work itself that was made smaller. "We use GELU instead of ReLU" tells of none of these.
"""

from __future__ import annotations

from provchain.inspection._remarks.prose import SCRIPT
from provchain.inspection._remarks.speech import LACK, PLANNED, WE

__all__ = ["SIMPLIFIED", "SIMPLIFIED_STEMS"]

# What was changed must be the experiment, its model, data or scale: "simplified correlations" is no disclosure.
_PARTS = (
    r"(?:[\w-]+ ){0,2}(?:versions?|experiments?|experimental|implementations?|settings?|setups?|models?|architectures?"
    r"|pipelines?|evaluations?|demonstrations?|demos?|runs?|configurations?|scale|datasets?|data sets?|subsets?"
    r"|samples?"
    r"|number of|training)"
)
_USED = (
    r"(?:used|trained|ran|run|evaluated|tested|employed|implemented|replaced|substituted|switched|fell back"
    r"|limited|restricted|reduced)"
)
_MADE_SMALLER = (
    rf"\b(?:simplified|scaled[- ]down|small(?:er)?[- ]scale|down-?scaled|toy) {_PARTS}\b",
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
    rf"{WE}(?:only )?{_USED} (?:[\w-]+ ){{0,3}}?(?:a|an|only|fewer) (?:much )?(?:smaller|reduced|lighter|tiny"
    rf"|simpler|shorter|cheaper)"
    r" (?:[\w-]+ ){0,3}(?:models?|networks?|data ?sets?|data|samples?|subsets?|version|variant|architecture"
    r"|budget|schedule|training)\b",
    r"\b(?:fewer|less) (?:training |random |evaluation )?(?:seeds?|epochs?|samples?|runs?|folds?|examples?|data"
    r"|steps|iterations|baselines?"
    r"|models?|tasks?|datasets?) (?:than (?:planned|proposed|intended|originally|in the plan|the plan|we)"
    r"|because|due to|instead|for lack)",
    rf"{WE}{_USED} (?:[\w-]+ ){{0,4}}?(?:a|another) (?:different|other|smaller|public|substitute) (?:data ?set"
    rf"|model|benchmark)"
    r" (?:instead|because|due|since|as the|than)\b",
    rf"\b(?:{SCRIPT}+|models?|data ?sets?|benchmarks?|corpus|baselines?) (?:was|were) (?:replaced (?:by|with)"
    rf"|substituted)\b"
    r"[^.;]{0,120}\b(?:because|due to|since|as the|for lack|unavailable|planned)\b",
)

# ------------------------------------------------------------------------------------------------- a plan that was left

_THE_PLAN = (
    r"(?:the |our |what (?:was |had been )?)?(?:original |initial |first |research |study |experimental )?"
    r"(?:(?:study )?plan|proposal|protocol|pre-?registration|(?:planned|proposed|intended|original) (?:design|procedure"
    r"|experiments?|evaluation|stud(?:y|ies)|setup|scope|analysis))(?![\w-])(?! (?:of|by|network))"
)
_SAYS = (
    r"(?:says?|said|asks?|asked|calls? for|called for|foresees?|foresaw|prescribes?|prescribed|requires?|required"
    r"|demands?"
    r"|demanded|lists?|listed|names?|named|specifie[sd]|states?|stated|described|describes)"
)
_OTHER = (
    r"(?:unlike|contrary to|in contrast to|in (?:a )?departure from|departing from|deviating from|other than"
    r"|differently from"
    r"|different(?:ly)? from|different(?:ly)? than|as opposed to)"
)
_LEFT_PLAN = (
    rf"(?<![\w-]){_OTHER} (?:in |stated in |described in )?{_THE_PLAN}",
    rf"(?<![\w-])(?:deviat|diverg|depart|stray)\w* from {_THE_PLAN}",
    rf"(?<![\w-])(?:instead of|in place of|in lieu of|rather than) (?:(?!than\b)[^\s,;:.()]+ ){{0,5}}?{PLANNED}",
    rf"(?<![\w-])(?:instead of|in place of|in lieu of|rather than) (?:[^\s,;:.()]+ ){{1,6}}?(?:as|that|which"
    rf"|than)? ?{_THE_PLAN}"
    rf" {_SAYS}\b",
    r"(?<![\w-])(?:in place of|in lieu of) (?:the |our |a )?(?:[\w-]+ ){0,2}?(?:full|missing|unavailable|complete)\b",
    # "we had planned to read the sensor, but ..."
    rf"{WE}(?:originally |initially |first )?(?:planned|intended|wanted|hoped|meant"
    rf"|proposed|set out) (?:to|on|for)\b[^.]{{3,240}}(?:[,—–] ?|\b)(?:but|however|yet|instead)\b",
    r"(?<![\w-])(?:the|our) (?:original |initial )?(?:plan|proposal|intention|aim|idea) (?:was|had been|asked"
    r"|called) (?:to|for)\b"
    r"[^.]{3,240}(?:[,—–] ?|\b)(?:but|however|instead)\b",
    rf"(?<![\w-])(?:fewer|less|smaller|shorter|simpler|lower|coarser|other|different)\b[^.;]{{0,80}}?\bthan (?:the "
    rf"|our |we |was "
    rf"|were |had |been |is |are |originally |initially |in |those |what ){{0,5}}(?:{PLANNED}|{_THE_PLAN})",
    rf"(?<![\w-])(?:not|n't|otherwise than) (?:[\w-]+ ){{0,3}}?as (?:was |had been |we |we had )?(?:originally "
    rf"|initially )?"
    rf"{PLANNED}",
    rf"(?<![\w-])only (?:[\w-]+ ){{0,4}}of (?:the |our )?(?:[\w-]+ )?{PLANNED}",
    # "we replaced the planned survey", "this differs from what was proposed", "the original sample was cut to 50"
    rf"{WE}(?:replaced|substituted|dropped|skipped|shortened|cut|omitted|left out)"
    rf" (?:the |our |all )"
    rf"(?:[\w-]+ ){{0,2}}?{PLANNED}",
    rf"(?<![\w-])(?:deviat|differ|diverg|depart)\w* from what (?:was |were |we |had |been |is ){{0,3}}(?:originally "
    rf"|initially )?{PLANNED}",
    rf"(?<![\w-])(?:original|{PLANNED}) (?:[\w-]+ ){{0,2}}(?:sample|design|scope|schedule|protocol|plan|number"
    rf" of [\w-]+)"
    r"(?: of [0-9]{1,6}(?: [\w-]+)?)? (?:was|were|had to be) (?:therefore )?(?:cut|reduced|shortened|lowered|scaled"
    r" down|limited"
    r"|restricted|halved)\b",
    rf"(?<![\w-])not all (?:of )?(?:the )?(?:[\w-]+ )?{PLANNED}",
)

# ----------------------------------------------------------------------------------------- a lack that forced the change

_DID = (
    r"(?:used|ran|run|trained|evaluated|tested|took|measured|analy[sz]ed|report(?:ed)?|computed|employed|chose"
    r"|implemented|studied|compared|worked|relied|replaced|substituted|switched|turned|resorted|settled|simulated"
    r"|estimated|approximated|collected|sampled|limited|restricted|reduced|skipped|omitted)"
)
_INSTEAD = r"(?:instead of|in place of|in lieu of|rather than)"
_CAUSE = (
    r"(?:because|since|as (?:the|it|its|they|this|that|no|we)|due to|owing to|for lack|for want|after (?:the|it|its)"
    r"|, (?:whose|which)|given that|when the)"
)
_STAND_IN = r"(?:stand-?in|makeshift|stop-?gap|fall-?back|replacement|substitute|surrogate|proxy)"
_FORCED = (
    rf"{WE}(?:only )?{_DID}\b[^.;]{{1,160}}?\b{_INSTEAD} [^.;]{{2,120}}?{_CAUSE}[^.;]{{0,120}}?{LACK}",
    rf"(?<![\w-]){_INSTEAD} [^.;]{{2,120}}?{_CAUSE}[^.;]{{0,80}}?{LACK}[^.;]{{0,80}}?, (?:we|I) (?:\w+ly )?{_DID}\b",
    rf"(?<![\w-])(?:because|since|as|given that)\b[^.;]{{3,120}}?{LACK}[^.;]{{0,60}}?, (?:we|I) (?:\w+ly |instead "
    rf"|therefore |only )*"
    r"(?:fell|resorted|turned|switched|settled|substituted|replaced|simulated|approximated|skipped|omitted|limited"
    r"|restricted"
    rf"|reduced|{_DID}\b[^.;]{{1,120}}?\b(?:instead|only|alone|a smaller|a subset|part of))\b",
    rf"(?<![\w-])(?:as|for want of|for lack of)\b[^.;]{{3,120}}?{LACK}[^.;]{{0,60}}?, (?:we|I) (?:\w+ly"
    rf" )?{_DID}\b[^.;]{{1,120}}? instead\b",
    rf"{WE}{_DID}\b[^.;]{{1,120}}? instead,? (?:because|since|as|due to|owing to|for)\b[^.;]{{0,120}}?{LACK}",
    rf"(?<![\w-])(?:unavailable|not available|not installed|failed|crashed|could not be \w+)[,;—–]? (?:so|and|hence"
    rf"|therefore"
    rf"|thus)(?: that)? (?:we|I) (?:\w+ly |therefore |instead |only )*{_DID}\b[^.;]{{1,120}}?\b(?:instead|only)\b",
    rf"{WE}(?:therefore )?(?:fell|have fallen|had to fall|fallen) back (?:to|on|onto|upon)\b",
    rf"{WE}(?:resorted to|made do with|had to make do with|settled for|had to settle for|contented ourselves with)\b",
    rf"{WE}(?:had to|were forced to|was forced to|were obliged to) (?:\w+ly )?(?:limit|restrict|confine|simplify"
    rf"|skip|omit|shorten"
    r"|down-?scale|scale down|leave out|rely on|substitute|scale back|cut (?:back|down|short)|do without)\b",
    rf"{WE}(?:had to|were forced to|was forced to) (?:reduce|lower|cut|decrease|shrink) (?:the |our )?(?:number of"
    rf"|size of|scale"
    r"|scope|sample|duration|length of)\b",
    rf"{WE}(?:substituted|replaced) [^.;]{{2,120}}? (?:for|by|with) [^.;]{{2,120}}?{LACK}",
    rf"{WE}(?:{_DID}|opted for|went with|kept to)\b[^.;]{{0,40}}? (?:smaller|shorter|simpler|lighter|fewer"
    rf"|cheaper)\b[^.;]{{0,80}}?"
    rf"{_CAUSE}[^.;]{{0,80}}?{LACK}",
    r"(?<![\w'])(?:we|I) (?:could only|(?:were|was) only able to|only managed to) (?:run|train|test|evaluate"
    r"|interview|measure|collect"
    r"|recruit|sample|visit|use|include|scan|survey|complete|analy[sz]e|read|process|obtain)\b",
    # "serves as a proxy for it": a measure that stands for quality is no change of plan
    rf"(?<![\w-])(?:serv\w+|used|act\w*|taken|reported|presented|stands?) (?:here )?as (?:an? |our |the |its"
    rf" )?(?:\w+ )?{_STAND_IN}"
    rf" for (?:it|them|this|these|those|the (?:\w+ )?(?:{PLANNED}|missing|original|unavailable|real|full|failed))\b",
    rf"{WE}(?:therefore |instead )?(?:{_DID}|present|give)\b[^.;]{{1,120}}? as (?:an? |our |the |its )?(?:\w+ )?"
    rf"(?:stand-?in|makeshift|stop-?gap)\b",
    r"(?<![\w-])(?:had to be|was|were) (?:therefore )?(?:left out|omitted|skipped|shortened|scaled (?:down|back)"
    r"|simplified)"
    r" (?:because|due to|for lack|for want|owing to|since|as the|as no)\b",
)

# --------------------------------------------------------------------------------------- less work, said of the work itself

_EFFORT = (
    r"(?:seeds|epochs|samples|runs|folds|examples|tasks|steps|iterations|problems|models|data ?sets|data sets"
    r"|baselines|trials"
    r"|repetitions|repeats|replicates|days|weeks|sites|stations|participants|subjects|interviews|questions|simulations"
    r"|games|episodes|rounds|instances|images|documents|conditions|generations|chains|particles|configurations)"
)
_LESS = (
    r"(?:only|just|a (?:\w+ )?(?:smaller|shorter|simpler|reduced|lighter|cheaper|simplified|scaled-down|minimal|tiny)"
    r"|(?:smaller|shorter|simpler|simplified|fewer|reduced|lighter|scaled-down|minimal)"
    r"|(?:a|the) (?:\w+ )?(?:subset|fraction|handful|sample)|part of|half of"
    r"|every (?:other|second|third|fourth|fifth|tenth|\d+(?:nd|rd|th)))"
)
_TO_SAVE = (
    r"(?:to (?:save|reduce|cut|limit) (?:the |on )?(?:\w+ )?(?:time|compute|computation\w*|cost|costs|resources"
    r"|runtime|running time"
    r"|execution time|training time)|to (?:speed (?:things|it|this|the \w+) up|speed up (?:the |our"
    r" )?(?:experiments?|evaluation|training|runs?|analysis|study|process|execution)|keep (?:it|this|things|the"
    r" \w+) (?:fast|short|quick|manageable|feasible|tractable|simple)|finish in time|fit (?:in|into|within) the \w+"
    r" (?:limit|budget))"
    r"|for (?:the sake of )?(?:time|speed|brevity)(?: reasons)?|in the interest of time)"
)
_SHORT_OF = (
    r"(?:due to|because of|given|owing to|under|with) (?:the |our |my |limited |a ){0,2}(?:time|resource|comput\w+"
    r"|memory|gpu|hardware"
    r"|budget)(?: and \w+)?(?: constraints?| limits?| limitations?| restrictions?| budget)"
)
_REPEATS = (
    r"(?:repetitions|repeats|replicates|seeds|runs|folds|epochs|trials|participants|subjects|interviews|sites"
    r"|stations|days|weeks)"
)
_LESS_WORK = (
    rf"(?<![\w-])number of (?:[\w-]+ )?{_REPEATS} (?:was|had to be) (?:therefore |then )?(?:reduced|cut|lowered"
    rf"|decreased|limited)\b"
    r"(?! by (?:our|the|using)\b)",
    rf"(?<![\w-])instead of (?:all |the )*(?:[0-9]{{1,6}}|\w+) {_REPEATS},? (?:we|I) (?:only )?{_DID}\b",
    rf"{WE}(?:reduced|cut|lowered|decreased|shortened|capped|limited|scaled down|dropped) (?:the |our )?(?:total "
    rf"|overall )?number of "
    rf"(?:[\w-]+ )?{_EFFORT}\b(?! (?:required|needed|necessary)\b)",
    rf"{WE}(?:reduced|cut|shortened|scaled down|scaled back|shrank) (?:the |our )(?:[\w-]+ )?(?:sample|training"
    rf"|experiments?"
    r"|evaluation|test set|data ?set|study|survey|schedule|scale)(?: size| set| time| length)? (?:from|to|because"
    r"|due|for|so)\b",
    rf"(?<![\w-]){_TO_SAVE},? (?:we|I)(?: have|'ve)? (?:only |just |will |'ll )*(?:{_DID}|use|train|evaluate"
    rf"|kept|looked at)\b[^.;]{{0,60}}?{_LESS}\b",
    rf"{WE}(?:only )?{_DID}\b[^.;]{{0,80}}?\b{_LESS}\b[^.;]{{0,80}}?\b{_TO_SAVE}\b",
    # An agent that tells what it does next has decided it: "I'll use a smaller sample due to time constraints".
    rf"(?<![\w'])(?:I'll|I will|I'm going to|I am going to|let me|let's) (?:now |therefore |instead |just |only"
    rf" )*(?:use|run|train"
    rf"|evaluate|test on|switch to|implement|create|make|take|process|work with|simplify|reduce|limit|scale down)\b"
    rf"(?! [^.;]*\b(?:first|quick test|sanity|to (?:verify|check|debug|see)|before)\b)[^.;]{{0,80}}?"
    rf"(?:\b{_LESS}\b[^.;]{{0,80}}?(?:{_SHORT_OF}|\b{_TO_SAVE}|\binstead of (?:the full|all|the \w+ {PLANNED}"
    rf"|running the)|\bthan "
    rf"(?:{PLANNED}|the plan))|\bnumber of (?:[\w-]+ )?{_EFFORT}\b)",
)

SIMPLIFIED = (*_MADE_SMALLER, *_LEFT_PLAN, *_FORCED, *_LESS_WORK)
"""Patterns for `RemarkKind.SIMPLIFIED`."""

SIMPLIFIED_STEMS = (
    "simpl|scale|toy|proxy|reduc|instead|in place of|in lieu of|rather than|deviat|differ|due to|because|given|since|as the"
    "|owing|under|could not|not run|not eval|not train|not test|only|small|limit|minimal|plan|propos|intended"
    "|not implemented|light|tiny|short|cheap|fewer|less|another|replaced|substitut|unlike|contrary|depart|diverg"
    "|fell back|fall back|fallen back|resorted|settle|made do|make do|contented|had to|forced to|stand-in|makeshift"
    "|stop-gap|fallback|surrogate|left out|omitted|skipped|cut|lowered|decreased|capped|to save|speed|half|subset"
    "|other than|in contrast|only|opted|went with|from what|changed|modified|altered"
)
"""Parts of words, one of which any such sentence holds, as alternatives."""
