"""The words by which a manuscript tells what its numbers are for: settings, citations, labels, forecasts, comparisons.

Patterns only; which of them counts where is decided in :mod:`provchain.papers._roles`. Each is bounded or anchored, so
that no sentence takes longer than its length.
"""

from __future__ import annotations

import re

_I = re.IGNORECASE

# --------------------------------------------------------------------------------------------------------- settings

_SETTING = (
    r"learning[ _-]?rates?|lr|batch[ _-]?sizes?|(?:mini[ -]?)?batch|epochs?|(?:random[ _-]?)?seeds?|random[ _-]?state"
    r"|temperatures?|top[ _-][kp]|drop[ _-]?out(?:[ _-](?:rate|prob\w*))?|weight[ _-]?decay|momentum|optimi[sz]er"
    r"|hidden(?:[ _-](?:size|dim\w*|units?|layers?|channels))?|(?:[a-z]+[ _-])?dim(?:ensions?|ensionality)?"
    r"|(?:warm|ramp)[ _-]?up(?:[ _-]\w+)?|patience|beam(?:[ _-](?:size|width))?|margin|thresholds?|horizon|retries"
    r"|budget"
    r"|(?:max|maximum|min|minimum)[ _-](?:\w+[ _-])?(?:len(?:gth)?|tokens|steps|iter\w*|depth|size|epochs)"
    r"|alpha|beta|gamma|lambda\w*|epsilon|eps|tau|[αβγδελτηκ]|discount(?: factor)?|schedul\w+|time[ -]?out"
    r"|bit[ -]?width"
    r"|(?:window|buffer|chunk|context|sequence|vocab\w*|patch|kernel|hidden|embedding|sample|input|image|memory|step"
    r"|test"
    r"|validation|train(?:ing)?|population|ensemble|dataset|data)[ _-](?:size|length|window|budget|samples|steps|split)"
    r"|gradient[ _-](?:accumulation|clip\w*)(?: steps)?|n_\w+|num_\w+|(?:number of|num|no\.? of|#)[ _-]?(?:\w+ )?"
    r"(?:layers?|heads?|epochs?|seeds?|runs?|trials?|folds?|samples?|examples?|clusters?|units|workers|steps|iterations"
    r"|neighbou?rs|trees|features|classes|episodes|rounds|agents|shots|beams|gpus|tasks|datasets)"
    r"|train[ /_-]+(?:val\w*[ /_-]+)?test(?: split)?|split(?: ratio)?|k-?folds?|(?:cv )?folds|lora[ _-]\w+"
    r"|(?:loss )?weights? ?\([^()]{1,12}\)|precision \(bits\)|(?:update|eval\w*)[ _-](?:interval|frequency|steps)"
)
SETTING_LABEL = re.compile(
    rf"\W*(?:the |initial |base |peak |default |\w+ )?(?:{_SETTING})\W*(?:\([^()]{{0,20}}\))?\W*", _I
)
# Names of settings only where a number follows at once: in a table they may be what was measured.
_SETTING_AT_ONCE = r"strength|tolerance|(?:slip|crossover|mutation|exploration|flip|edge|masking)[ _-](?:prob\w*|rate)"
KEY_BEFORE = re.compile(
    rf"(?<![\w-])(?:{_SETTING}|{_SETTING_AT_ONCE}|(?-i:k|K|n|N|T|B))\s{{0,3}}(?:\([^()]{{0,20}}\)\s?)?"
    r"(?:(?:is|are|was|were|of|to|at|set to|set at|fixed at|fixed to|size of|=|:|:=|≈|~|∼|-|\\in|from|between)\s{0,3})"
    r"{0,3}(?:\$|\\?\{|about |approximately )?\s?$",
    _I,
)
_ADJECTIVE = (
    r"random|different|independent|training|train|test|testing|validation|held-out|unseen|labell?ed|annotated|synthetic"
    r"|input|evaluation|hidden|attention|transformer|convolutional|encoder|decoder|unique|total|distinct|separate"
    r"|candidate|generated|consecutive|human|expert|repeated|warm-?up|gradient|optimi[sz]ation|each|diverse|short|few"
    r"|NVIDIA|[A-Z][A-Za-z]{1,12}"
)
COUNTED_SETTING = re.compile(
    rf"[ -](?:(?:{_ADJECTIVE}) ){{0,3}}"
    r"(?:epochs?|seeds?|runs|trials|repetitions|repeats|folds?|layers?|heads?|hidden|dim(?:ension)?s?|dimensional|units"
    r"|neurons|samples?|examples?|instances|images|questions|queries|documents|prompts|sentences|GPUs?|[AHV]100s?|CPUs?"
    r"|cores|workers|shots?|beams?|(?:time ?)?steps|iterations|episodes|rounds|features|classes|clusters|bits?"
    r"|columns|replications|restarts|permutations|resamples|draws"
    r"|participants|annotators|raters|users|repos(?:itories)?|pairs|records|rows|nodes|agents|bootstrap|neighbou?rs"
    r"|tasks|datasets|problems|scenarios|simulations|trajectories|points? (?:likert|scale)|likert|fold|way|layer)\b",
    _I,
)
ALWAYS_SETTING = re.compile(
    r"[ -](?:random |different |independent )*(?:seeds?|folds?|GPUs?|[AHV]100|heads?|layers?|shots?)\b"
)
OUTCOME_BEFORE = re.compile(
    r"\b(?:after|within|by|until|only|just|took|takes?|require[sd]?|needs?|needed|converge[sd]?|around|reach\w*|in"
    r"|on average|average of|mean of|total of|produc\w+|generat\w+|exchanged|solved?|passed|failed|found|detected"
    r"|correctly|achiev\w+|(?:right|correct|wrong|mistaken|err(?:s|ed)?|fail(?:s|ed)?|misses|missed) on)"
    r"\s(?:about |approximately |roughly |~ ?|an average of )?$",
    _I,
)
MOMENT_BEFORE = re.compile(
    r"\b(?:around|after|by|until|before|at|within) (?:the )?(?:epoch|step|iteration|round)s? $", _I
)
RANGE_START = re.compile(r"[0-9]{1,6} ?(?:[-–]|to|or) ?$")
VARIED_BEFORE = re.compile(
    r"\b(?:different|various|varying|multiple|several) (?:\w+ )?\w+(?: of ?| ?[({:])"
    r"(?:[0-9.%]{1,8},? ?(?:and |or )?){0,8}$",
    _I,
)
_METRIC = (
    r"accuracy|acc\.?|precision|recall|(?:macro[- ]|micro[- ])?f1|f-?score|bleu|rouge|auc|auroc|auprc|loss|error"
    r"|scores?"
    r"|latency|throughput|run-?time|m?ap|mse|mae|rmse|perplexity|rewards?|returns?|(?:[a-z]+ )?rate|speed-?up"
    r"|correlation"
    r"|coverage|similarity"
)
METRIC = re.compile(rf"\b(?:{_METRIC})\b", _I)
# "reaches an accuracy of", "drops to"; not "to reach", which is a wish as often.
_REPORTS = (
    r"reach(?:es|ed)|achiev(?:es|ed)|obtain(?:s|ed)|attain(?:s|ed)|scor(?:es|ed)|yield(?:s|ed)|gets|got|(?:drop(?:s"
    r"|ped)"
    r"|falls|fell|rises|rose|decreas(?:es|ed)|increas(?:es|ed)|improv(?:es|ed)|declin(?:es|ed)|degrad(?:es|ed)) to"
)
REPORTS_BEFORE = re.compile(rf"\b(?:{_REPORTS})\b(?:[^.;:0-9]|(?<=[A-Za-z@])[0-9]){{0,60}}$", _I)
CONDITION = re.compile(r"\b(?:until|once|when(?:ever)?|if|unless|at least|at most|as soon as|must|to be)\b", _I)
CLAUSE_START = re.compile(r"[.;:](?=\s)|,|\b(?:but|while|whereas|although|though|which)\b", _I)
CLAUSE_END = re.compile(r"[.;:](?=\s|$)|,|\b(?:but|while|whereas|although|though|which)\b", _I)
_IN_A_LIST = r"[0-9.]{1,10}(?:e-?[0-9]{1,3})?%?\s?"
LISTED_BEFORE = re.compile(
    rf"([A-Za-z_α-ω][\w@-]{{0,30}})\$?\s{{0,2}}(?:=|∈|\\in\b)\s{{0,2}}\$?\\?[{{\[]\s?(?:{_IN_A_LIST},\s?){{0,20}}$"
)
LISTED_AFTER = re.compile(rf"\s?(?:,\s?(?:{_IN_A_LIST}|…|\.{{3}}|\\ldots)\s?){{0,20}}\\?[}}\]]")
NO_SETTING_NAME = re.compile(r"ci|interval|range|p|r|mean|std|results?|values?", _I)
WORD_BEFORE = re.compile(r"([^\W\d_]{1,30})(?:[ _@-]|\s?[=:]\s?|\s(?:of|level|level of)\s){1,2}$")
SPLIT = re.compile(r"\b(?:train\w*|split|validation|val|test|held[- ]out)\b", _I)
SPLIT_SHARE = re.compile(
    r"[ ]?(?:[/%]|for |of the data|of (?:the )?(?:\w+ )?(?:samples|dataset)|(?:\w+ )?(?:train|val|test|split))"
    r"|[-–][0-9]",
    _I,
)

# ------------------------------------------------------------------------------------------- numbers that number things

_THING = (
    r"sections?|secs?\.|§{1,2}|figures?|figs?\.|tables?|tabs?\.|equations?|eqs?\.|eqn\.|algorithms?|alg\.|chapters?"
    r"|ch\."
    r"|appendi(?:x|ces)|steps?|stages?|phases?|parts?|theorems?|lemmas?|definitions?|propositions?|corollar(?:y|ies)"
    r"|pages?|pp?\.|lines?|rq|research questions?|hypothes[ie]s|experiments?|exp\.|listings?|footnotes?|refs?\.|issues?"
    r"|vol\.|volumes?|no\.|objectives?|contributions?|levels?|tiers?|rounds?|iterations?|examples?|cases?|scenarios?"
    r"|questions?|requirements?|principles?|aims?|weeks?|months?|days?|items?|points?|goals?|milestones?|layers?|class"
    r"|group|cluster|task|type|option|rule|axiom|assumption|property"
)
NUMBERED_THING = re.compile(
    rf"\b(?:{_THING})(?:[ \u00a0]|\s?~|\\ ){{0,2}}\(?"
    r"(?:[0-9]{1,3}(?:\.[0-9]{1,3}){0,3}[a-z]?\)?(?:\s?[,&–-]\s?|,? and |,? to |,? or )\(?){0,6}$",
    _I,
)
SECTION_BEFORE = re.compile(r"(?:section|sec\.|§|figure|table|equation|appendix)\S{0,3}\s?$", _I)
AFTER_ENUMERATOR = re.compile(r"\)\s{0,3}[A-Za-z*]")
IN_BRACKETS = re.compile(r"\[[^\[\]]{0,20}$")
CLOSES_BRACKETS = re.compile(r"[^\[\]]{0,20}\]")

# --------------------------------------------------------------------------------------------------------- citations

CITATION = re.compile(r"\[\s?[0-9]{1,3}(?:\s?[,;–-]\s?[0-9]{1,3}){0,20}\s?\](?!\()")
INTERVAL_BEFORE = re.compile(r"(?:\b(?:ranges?|interval|between|values?|budgets?|sizes?)|[=∈:]|\\in)\s{0,2}\$?$")
AUTHOR_YEAR = re.compile(
    r"\(\s?(?:see |e\.g\.,? |cf\. )?[A-Z][^()0-9]{1,120}[,.]? ?(?:19|20)[0-9]{2}[a-z]?(?:[;,][^()]{1,200})?\)"
    r"|\b[A-Z][\w-]{1,30}(?: (?:and|&) [A-Z][\w-]{1,30}| et al\.?),? \(?(?:19|20)[0-9]{2}[a-z]?\)?"
)
CITE_COMMAND = re.compile(r"\\[a-z]{0,8}cite[a-z]{0,8}\b|\[@[\w:-]{1,80}|@[a-z]{2,20}(?:19|20)[0-9]{2}", _I)
CITE_COMMAND_WHOLE = re.compile(
    r"\\[a-z]{0,8}cite[a-z]{0,8}\b(?:\[[^\[\]]{0,40}\]){0,2}\{[^{}]{0,200}\}|\[@[^\[\]]{1,200}\]", _I
)
DAGGER = re.compile(r"[†‡]|\$?\^?\{?\\(?:dag|dagger|ddag)\b\}?\$?")
REPORTED = re.compile(
    r"\b(?:report(?:s|ed)? (?:by|in)|according to|as (?:reported|shown|stated) (?:by|in)|prior works?|published"
    r"|previous(?:ly)? (?:work|published)|originally|taken from"
    r"|et al\.?'?s?,? ?(?:\(?(?:19|20)[0-9]{2}[a-z]?\)?,? )?(?:\[[0-9, ]{1,20}\] )?(?:report|show|achiev|obtain"
    r"|found|find|propose))",
    _I,
)
OWN = re.compile(r"\b(?:we|our|ours|us|this (?:paper|work|study|experiment)|the proposed|in our)\b", _I)
OWN_IN_INTRODUCTION = re.compile(
    r"\b(?:empirical(?:ly)?|experiment(?:s|al)?|contributions?|validation on|\(?section [0-9])\b", _I
)
OWN_RESULT = re.compile(
    r"\b(?:show|achiev|demonstrat|improv|outperform|reduc|result|experiment|evaluat|obtain|reach|yield|attain|gain"
    r"|accuracy|score|speed-?up)\w*",
    _I,
)

# --------------------------------------------------------------------------------------------------- labels in place

_THINGS = r"(?:values?|numbers?|figures|scores|percentages?|entries|points|results?|records|rows|measurements?)"
_DATA = rf"(?:data(?! ?sets?\b)|inputs|{_THINGS})"
# Nobody measures what is called so; "synthetic" and "simulated" are as often what was measured on.
_UNREAL = (
    r"(?:placeholders?|made[- ]up|dummy|mock(?:ed)?|fake|fabricated|invented|fictitious|fictional|toy|bogus|nonsense)"
)
_ARTIFICIAL = (
    r"(?:synthetic(?:ally generated)?|simulated|artificial(?:ly generated)?|random(?:ly generated)?|arbitrary|demo"
    r"|demonstration|example|test)"
)
_SHOWN = (
    r"(?:plot\w*|charts?|figures?|graphs?|graphics|diagrams?|layout|formatt?(?:ing)?|render\w*|displays?|drawing"
    r"|templates?"
    r"|ax[ei]s|legends?|typesetting|styl(?:e|ing)|visuali[sz]ations?|tables?|columns?)"
)
_TRIES = (
    r"(?:test|check|verify|try|debug|exercis|demonstrat|illustrat|show|preview|mak\w+ sure|ensur|see|prove|look at"
    r"|validat)\w*"
)
_NO_MORE = r"(?:only|solely|purely|merely|just|simply|exclusively|nothing but)"
# The adjective must be said of the numbers: "hypothetical questions", "fictitious play" and "fake news" are topics.
_UNREAL_FIGURE = r"(?:illustrative|hypothetical|placeholders?|made[- ]up|fictitious|fictional|mock[- ]up)"
_OUTCOMES = (
    r"(?:values?|numbers?|figures?|scores|percentages?|entries|results?|measurements?|metrics|statistics|outcomes?)"
)
_BETWEEN = (
    rf"(?:(?:{_METRIC}|performance|experimental|numerical|evaluation|test|benchmark|example|sample|summary|main|final"
    r"|quantitative|preliminary|model|synthetic|simulated|made[- ]up|placeholder|and|or) ){0,3}"
)
# ... and of no data set or task that is called after such numbers.
_NO_TOPIC = (
    r"(?! ?-?(?:\w+ )?(?:benchmark|data ?sets?|corp(?:us|ora)|task|challenge|suite|collection|detect|classif|recogni"
    r"|identif|filter|imput|generation|track|split)\w*)"
)
_SHOWN_OUTCOME = rf"(?:{_OUTCOMES}|data(?! ?sets?\b)|tables?|plots?|charts?|graphs?)\b{_NO_TOPIC}"
# Where an adjective ends what is said of a thing, no noun follows that it could belong to.
_SAID = (
    r"(?=\W*$|\s?[,.;:()\[\]–—]|\s-\s|\s(?:and|or|but|until|for|to|in|at|as|because|since|only|rather|here|that|which"
    rf"|not|with|by|pending|throughout|so|while|of)\b|\s{_BETWEEN}{_OUTCOMES}\b)"
)
_ONLY = r"(?:(?:purely|only|solely|merely|just|simply|entirely|all|strictly) )?"
_PURPOSE = (
    r"for (?:illustration|(?:illustrative|illustration|demonstration|layout|plotting|formatting|display) purposes?)"
)
_ALONE = r"(?: only| alone)?(?=\W{0,4}$|\s?[)\]:;–—]|\.\s)"
_SUBJECT = (
    r"(?:results?|values?|numbers?|scores?|figures|metrics|entries|data|measurements|percentages|rows|(?:tables?|figure)"
    r"(?: [0-9A-Z]{1,3}(?= (?:is|are|was|were)\b)|(?! ?[0-9])))"
)
_GAP = r"(?:(?!\b(?:when|where|if|because|whose)\b)[^.;]){0,60}?"
_UNSAID = r"(?:(?!\b(?:on|with|for|from|in|when|where|than|better|higher|lower|worse)\b)[^.;]){0,30}?"
ILLUSTRATIVE = re.compile(
    rf"\b{_UNREAL_FIGURE} {_BETWEEN}{_SHOWN_OUTCOME}"
    rf"|\b(?:illustrative|hypothetical|placeholder|made[- ]up) (?:{_METRIC})\b(?=\W*$|\s?[,.;:(])"
    r"|(?:^|[:,.;–—]\s|\s-\s)\W{0,4}(?:an? )?(?:illustrative|hypothetical|placeholder|mock) example\b"
    rf"|(?:^|[(\[]|[:,.;–—]\s|\s-\s)\W{{0,4}}{_ONLY}(?:illustrative|hypothetical|placeholders?|made[- ]up|fictitious"
    rf"|mock[- ]up){_ALONE}"
    r"|[(\[]\s?(?:purely |entirely )?(?:illustrative|hypothetical|made[- ]up|placeholders?)\s?[,;:]"
    rf"|\bplaceholders?,? (?:for the|until|pending|to be replaced)\b"
    r"|(?<!-)\b(?:synthetic|simulated|mock(?:ed)?|dummy|fabricated|invented|example|fake|toy|bogus|arbitrary)"
    rf" (?:values?|numbers?|figures|scores|percentages?|entries)\b{_NO_TOPIC}"
    rf"|\b(?:simulated|mock(?:ed)?|dummy|fabricated|fake|invented|toy) (?:results?|measurements)\b{_NO_TOPIC}"
    rf"|\b{_SUBJECT}\b{_GAP}(?<!that )(?<!which )\b(?:are|is|were|was)\b{_UNSAID}"
    r"\b(?:synthetic|simulated|illustrative|hypothetical|placeholders?|made[- ]up|fictitious|fictional|fabricated"
    rf"|not (?:real|actual|measured))\b{_SAID}"
    rf"|\b{_SUBJECT}\b(?:(?!\b(?:ch[oi]\w*se?n?|select\w*|pick\w*|on|we)\b)[^.;]){{0,80}}?\b{_PURPOSE}\b"
    rf"|(?:^|[(\[]|[:,.;–—]\s|\s-\s)\W{{0,4}}{_ONLY}{_PURPOSE}\b{_ALONE}"
    r"|\bnot (?:actual|real) (?:results?|measurements?|numbers?)\b",
    _I,
)
# "Dummy data", "toy plot", "fake data, not measurements", and what is there to try how it will look.
_MADE_UP_DATA = re.compile(
    rf"(?<!on )(?<!with )(?<!the )\b(?:dummy|placeholder|fake|bogus|fictitious|invented) data(?! ?(?:sets?"
    rf"|generat\w*|augment\w*))\b"
    rf"|\b(?:toy|dummy|fake|mock) (?:plots?|charts?|graphs?|diagrams?)\b"
    rf"|\b{_UNREAL} {_DATA}\b[^.;]{{0,60}}\b(?:to|for|of) (?:{_NO_MORE} )?{_TRIES}\b"
    rf"|\b(?:layout|plotting|plot|chart|rendering|formatting|typesetting|template) (?:check|test|preview|demo)s?\b",
    _I,
)
_WITHOUT_SOURCE = re.compile(
    rf"\b{_DATA}\b[^.;]{{0,40}}\b(?:do|does|did)(?: not|n't) (?:come|stem|result|originate) from\b"
    r" (?:an? |any |the |our )?(?:(?:real|actual) )?(?:experiments?|measurements?|runs?|executions?|stud(?:y|ies))\b"
    rf"|\b{_DATA}\b[^.;]{{0,40}}\b(?:carry|carries|has|have) no meaning\b"
    r"|^\W*(?:these|they) are not (?:real |actual |our )?(?:measure(?:d|ments)|results|observations)\b"
    rf"|\b{_THINGS},? (?:[\w-]+ ){{0,4}}(?:(?:are |is |still )?to be|will be|must be) replaced\b",
    _I,
)
REFERS_BACK = re.compile(r"\W*(?:these|they|it|this|those|none of (?:these|them))\b", _I)
NAMES_TABLE = re.compile(r"\b(?:tables?|section|appendix)\b", _I)
# "Accuracy on hypothetical values", "detecting fake results": what was worked on, and not what stands there.
WORKED_ON_BEFORE = re.compile(
    r"(?<!based )(?<!drawn )(?<!relies )(?<!rely )(?<!relying )\bon (?:the |an? |some |all )?$"
    rf"|\b(?:{_METRIC}|performance|results) (?:with|for|under|over|against|of) (?:the |an? |all )?$"
    r"|\b(?:detect|classif|recogni|identif|filter|spot|flag|retriev|reject|discriminat|distinguish|mask|unmask)\w*"
    r"(?: (?!as\b)\w+){0,3} $",
    _I,
)
WORKED_ON_AFTER = re.compile(
    r"(?:(?: (?:are|is|were|was|get|be|been|being|and|then))* |[^.;]* (?:are|is|were|was) )"
    r"(?:filter|remov|inject|detect|reject|exclud|drop|insert|flag|discard|mask|imput|classif|recogni|spott|caught)\w*",
    _I,
)
LABELS = (ILLUSTRATIVE, _MADE_UP_DATA, _WITHOUT_SOURCE)
# Of data that may have been learned from, only its purpose or a denial says that they are no measurements.
WEAK_LABEL = re.compile(
    rf"\b(?:{_ARTIFICIAL}|{_UNREAL}) {_DATA}\b[^.;]{{0,60}}\b(?:to|for|as|of) (?:the |an? )?(?:{_NO_MORE} )?{_TRIES}\b"
    rf"[^.;]{{0,40}}\b{_SHOWN}\b"
    rf"|\b(?:{_UNREAL}|random|arbitrary|demo) {_DATA} for (?:the |a |an )?(?:\w+ )?{_SHOWN}\b"
    rf"|\b{_DATA}\b[^.;]{{0,40}}\b(?:is|are) (?:{_ARTIFICIAL}|{_UNREAL}),?(?: and)?(?: there| serve)? {_NO_MORE}"
    rf" (?:to )?{_TRIES}\b"
    rf"|\b(?:{_ARTIFICIAL}|{_UNREAL}) {_DATA}\b[^.;]{{0,40}}\b{_NO_MORE} (?:to|for|as) (?:the |an? )?{_TRIES}\b"
    rf"|\b(?:{_ARTIFICIAL}|{_UNREAL}) {_DATA}\b[^.;]{{0,40}}\b(?:to|for) (?:the )?{_TRIES}\b[^.;]{{0,60}}\b{_NO_MORE}\b"
    rf"|\b(?:{_ARTIFICIAL}|{_UNREAL}|generated) {_DATA}\b[^.]{{0,60}}?(?:[,;:–—(-]| and| these are| they"
    rf" are) ?(?:and )?"
    r"(?:these are |they are |it is )?not? (?:real |actual |our |true |genuine |experimental )?"
    r"(?:measured|measurements?|results?|observations?|observed)\b"
    rf"|\b{_ARTIFICIAL} (?:examples?|{_DATA}) (?:that|which) (?:was|were|are|is) not (?:measured|observed)\b"
    r"|^\W*(?:not|no) (?:real|actual) data\b",
    _I,
)
LEARNS = re.compile(
    r"\b(?:train\w*|learn\w*|fit(?:ted|ting)?|pre-?train\w*|fine-?tun\w*|evaluat\w*|benchmark\w*)\b", _I
)
NOT_THE_LABEL = re.compile(
    r"\b(?:no|not|never|without|unlike|instead of|rather than|than|replac\w+|remov\w+)"
    r"(?: (?:an?|the|any|our|these|those|such|of|all|use|using|hold|holds|contain\w*|includ\w*|simply|just|merely"
    r"|are|is"
    r"|real|actual)){0,4} $",
    _I,
)
# "Placeholder detection" is a topic; "placeholder values" are what stands below.
_HEADING_LABEL = re.compile(
    rf"\b{_UNREAL} (?:{_THINGS}|(?<!toy )examples?)\b{_NO_TOPIC}"
    r"|(?:^|[(\[:,–—]\s?|\s-\s)(?:placeholders|(?:only )?for illustration|made[- ]up|not measured)(?: only)?\W*$",
    _I,
)
HEADING_LABELS = (_HEADING_LABEL, _MADE_UP_DATA, _WITHOUT_SOURCE)
# In a sentence that only leads up to the numbers "hypothetical" must be said of numbers, not of cases or of users.
_LEADING_LABEL = re.compile(
    rf"\b(?:{_UNREAL}|illustrative|hypothetical) (?:{_BETWEEN}{_SHOWN_OUTCOME}|(?<!toy )examples?\b{_NO_TOPIC})"
    rf"|\b(?:synthetic|simulated) {_OUTCOMES}\b{_NO_TOPIC}"
    rf"|\b{_DATA}\b[^.;]{{0,40}}\b(?<!that )(?<!which )(?:are|is|were) (?:{_NO_MORE} )?"
    rf"(?:{_UNREAL}|illustrative|hypothetical)\b{_SAID}"
    rf"|\b{_SUBJECT}\b(?:(?!\b(?:ch[oi]\w*se?n?|select\w*|pick\w*|on|we)\b)[^.;]){{0,80}}?\b{_PURPOSE}\b"
    rf"|(?:^|[(\[]|[:,.;–—]\s|\s-\s)\W{{0,4}}{_ONLY}{_PURPOSE}\b{_ALONE}",
    _I,
)
LEADING_LABELS = (_LEADING_LABEL, _MADE_UP_DATA, _WITHOUT_SOURCE)
# "Fake" and "fictional" alone name a class as often; with numbers behind them they label.
COLUMN_LABEL = re.compile(
    rf"\b(?:{_UNREAL}|fabricated|hypothetical|illustrative|mock[- ]up) {_BETWEEN}(?:{_OUTCOMES}|data)\b{_NO_TOPIC}"
    rf"|\b(?:placeholder|made[- ]up|mock[- ]up|invented|fictitious|hypothetical|illustrative)"
    rf" {_BETWEEN}(?:{_METRIC}|time|cost|height|weight|length)(?=\W|$)"
    r"|(?:^|[(\[,;:–—/]\s?|\s-\s)\W{0,3}(?:purely )?(?:placeholders?|made[- ]up|mock(?:ed)?(?:[- ]up)?|invented|fictitious"
    r"|illustrative|for illustration)(?: only)?\W*$"
    r"|\bmade[- ]up\W*$|[(\[]\s?(?:purely )?hypothetical(?: only)?\s?[)\]]",
    _I,
)
# What says in the label of a row or column that its numbers are the authors' own, whatever it cites.
_AGAIN = r"re-?(?:run|ran|implement\w*|measured|evaluat\w+|trained|produc(?:ed|tion)|computed|impl\b\.?)"
OWN_LABEL = re.compile(
    r"\bours\b|\bthis (?:paper|work|study|report)\b|\bpresent (?:work|study)\b|\b(?:we|by us|ourselves)\b"
    r"|\bour (?!previous\b|prior\b|earlier\b|former\b|last\b)(?:own )?[\w-]+"
    rf"|\b{_AGAIN}(?! (?:from|in|by(?! us\b|ourselves\b))\b)",
    _I,
)
FORECAST = re.compile(
    r"\b(?:(?:is|are|was|were|be|being) (?:expected|anticipated|projected|predicted|estimated|hypothesi[sz]ed) to"
    r"|we (?:expect|anticipate|hypothesi[sz]e|project|plan|aim|intend)|(?:expected|anticipated|projected|targeted)"
    r" (?:results?|outcomes?|improvements?|gains?|performance|accuracy|reductions?|speed-?ups?|savings)"
    r"|aim(?:s|ed|ing)? (?:to|for|at)|goal (?:is|of)|target(?:s|ed|ing)? (?:of|is|are|at least|an?|:)|targeting"
    r"|would (?:be|achieve|reach|require|yield|need)|could (?:reach|achieve|yield)|in future"
    r"|future (?:work|versions?|experiments?)|will (?:be|achieve|reach|evaluate|extend|include|use|test|run|scale))\b",
    _I,
)
# In a results section only words right before a number make a forecast of it.
FORECAST_OF_NUMBER = re.compile(
    r"\b(?:(?:is|are|be) (?:expected|anticipated|projected|hypothesi[sz]ed) to|we (?:expect|anticipate|project)"
    r"|(?:expected|anticipated|projected) (?:improvements?|gains?|accuracy|reductions?|speed-?ups?|savings)"
    r"|goal (?:is|of|was)|target(?:s|ed|ing)? (?:of|is|was|:)|would (?:reach|achieve|yield)|will (?:reach|achieve))"
    r"[^.;,0-9]{0,30}$|\btarget \($",
    _I,
)
# "The expected 97 % was not reached", "the 97 % that the proposal foresaw was missed": an expectation that is denied.
_FORESEEN = (
    r"(?:expected|anticipated|hoped[- ]for|targeted|foreseen|foresaw|foresees|planned|predicted|promised"
    r"|hypothesi[sz]ed)"
)
EXPECTED_NUMBER = re.compile(rf"\b{_FORESEEN} (?:[a-z-]{{1,20}} ){{0,3}}(?:of )?(?:about |at least |over )?$", _I)
NUMBER_EXPECTED = re.compile(
    rf"[^.;,0-9]{{0,40}}?\b(?:that|which) (?:the|our) (?:proposal|plan|hypothesis|idea) (?:had )?{_FORESEEN}\b"
    rf"|[^.;,0-9]{{0,20}}\b{_FORESEEN} (?:in|by) the (?:proposal|plan)\b",
    _I,
)
NOT_REACHED = re.compile(
    r"\b(?:was|were|is|are|been|could|did|does|do|has|have)(?: not|n't) (?:be(?:en)? )?"
    r"(?:reach|met|meet|achiev|attain|confirm|observ|seen|reali[sz]|obtain|fulfil)\w*"
    r"|\b(?:was|were|is|are) missed\b|\b(?:fell|falls?) short\b",
    _I,
)
EXAMPLE = re.compile(r"\b(?:for example|for instance|e\.g\.|suppose|imagine|consider an?|as an example|say,)", _I)
SIGNIFICANCE = re.compile(r"(?:\bp|\bt|\bF|\br|\bd|χ²|χ|ρ|r²|R²|\bR2)\s?[=<>≤]\s?$")
SAMPLE_SIZE = re.compile(r"\bn\s?=\s?$")

# -------------------------------------------------------------------------------------------------------- statements

_WHAT = (
    r"performance|accuracy|scores?|rates?|gaps?|loss|similarit\w+|efficien\w+|quality|latency|memory|entropy|results?"
    r"|convergence|consisten\w+"
)
COMPARATIVE = re.compile(
    r"\b(?:(?:out|under)perform(?:s|ed|ing)?|surpass(?:es|ed|ing)?|superior|inferior|best[- ](?:performing|overall)"
    r"|(?:the|its|their|achiev\w+) (?:\w+ )?(?:best|worst|highest|lowest|fastest|slowest|strongest|weakest|smallest"
    r"|largest)\b"
    r"|(?:better|worse|higher|lower|faster|slower|larger|smaller|stronger|weaker|greater|fewer|longer|shorter)\b"
    rf"(?=[^.]{{0,120}}\b(?:than|compared|relative|versus|vs|over|across|{_WHAT}))"
    rf"|(?:{_WHAT})\b[^.,;]{{0,60}} (?:is|are|was|were) (?:\w+ )?(?:better|worse|higher|lower|faster|slower|larger"
    rf"|smaller)\b"
    r"|(?:more|less) \w+(?:[ ,]\w+)? than"
    r"|(?:significant|consistent|substantial|marked|notable|noticeabl|dramatic|slight|marginal|clear)(?:ly)? (?:\w+ )?"
    r"(?:better|worse|higher|lower|improv\w+|reduc\w+|increas\w+|decreas\w+|outperform\w*|gains?|faster|slower"
    r"|effective"
    r"|degrad\w+|differen\w+|advantages?)"
    r"|(?:improv|reduc|increas|decreas|enhanc|boost|degrad)(?:e[sd]?|ing|ement|ion)s?\b"
    r"(?=[^.]{0,80}\b(?:over|compared|relative|than|performance|accuracy|efficiency|quality|robustness|baselines?"
    r"|generali[sz]ation))"
    r"|comparable|competitive|on par|fail(?:s|ed) (?:on|to)|similar (?:performance|results?|accuracy)|indistinguishable"
    r"|identical (?:results?|performance)"
    r"|perform(?:s|ed)? (?:similarly|comparably|equally|well|best|better|poorly|worse)"
    r"|(?:perfectly |closely |exactly )?match(?:es|ed) (?:the|or)"
    r"|no (?:significant |measurable )?(?:difference|improvement|gain|benefit)"
    r"|state[- ]of[- ]the[- ]art (?:performance|results?|accuracy)|(?:validat|confirm)(?:es|ed|ing) (?:that|the|our)"
    r"|(?:results?|experiments?|findings?|study|studies) (?:clearly |strongly )?"
    r"(?:show|demonstrate|confirm|validate|reveal|indicate|suggest)s? that"
    r"|(?:yield|achiev|show|exhibit|demonstrat)(?:s|es|ed) (?:\w+ )?"
    r"(?:higher|lower|better|faster|greater|superior|improved|strong))\b",
    _I,
)
MODAL = re.compile(
    r"\b(?:may|might|could|would|should|will|can|cannot|(?<!as )expect(?:ed|s)?|aims?|future|if|whether"
    r"|hypothesi[sz]e|goal"
    r"|plan(?:ned|s)?|designed to|intended|propose[sd]?|potential(?:ly)?|need(?:s|ed)? to)\b",
    _I,
)
# What was run and what was not: "planned but not executed", "was run successfully".
_DONE = (
    r"(?:executed|run|completed|finished|performed|conducted|carried out|evaluated|tested|trained|implemented|measured"
    r"|attempted|reproduced)"
)
RAN = re.compile(
    rf"\b(?:were|was|been|but|and|could) not (?:be (?:able to be )?|been )?(?:[a-z]{{2,12}}ly )?{_DONE}\b"
    rf"|\b(?:were|was|been) (?:only )?{_DONE} successfully\b|\b(?:were|was|been|have|has) successfully {_DONE}\b",
    _I,
)
# What is said to be behind a result, however carefully.
EXPLAINED = re.compile(
    r"\b(?:this|that|it|which|these results|the results?) (?:is|was|are|were) (?:(?:likely|probably|largely|mainly"
    r"|partly|mostly|to be|not) )?(?:expected|unexpected|unsurprising|surprising|due to|because)(?=[ ,.;]|$)"
    r"|\b(?:is|was|are|were) (?:likely|probably|possibly|largely|mainly|partly|mostly) (?:due to|because|caused by)\b"
    r"|\b(?:may|might|could) (?:not )?have (?:not )?(?:been|had|[a-z]{2,14}(?:ed|en)|found|made|led|kept|built|lost"
    r"|met|put|gone|done|held|left)\b",
    _I,
)
# How often, in words: "for one epoch", "in a single repair iteration", "on all of the examples".
COUNTED_IN_WORDS = re.compile(
    r"\b(?:one|a single|(?:just|only) one|two|three|four|five|six|seven|eight|nine|ten|twelve) (?:[\w-]{1,20} ){0,2}"
    r"(?:epochs?|iterations?|(?:training |gradient |update )steps?|seeds?|runs?|rounds?|trials?|attempts?|folds?"
    r"|repetitions?|repeats)\b"
    r"|\b(?:all|none|neither|most|half|the majority) of (?:the|its|their|these|those|our) (?:[\w-]{1,20} ){0,2}"
    r"(?:problems?|tasks?|examples?|instances?|samples?|questions?|queries|cases|images|documents|sentences|programs?"
    r"|functions?|datasets?|models?|methods?|baselines?|seeds?|runs?|trials?)\b",
    _I,
)
IN_THE_PAST = re.compile(r"\b(?:was|were|did|ran|took|used|had|trained|failed|passed|solved|found|reached)\b", _I)
