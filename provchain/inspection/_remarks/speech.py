"""The parts of speech that the wording of remarks is made of."""

from __future__ import annotations

__all__ = ["ADVERB", "LACK", "NOUN_WORD", "PLANNED", "WE"]

NOUN_WORD = (
    r"(?!(?:that|which|who|whose|where|when|if|because|but|while|whereas|although|though|so|show\w*|demonstrat\w*"
    r"|reveal\w*|indicat\w*|suggest\w*|confirm\w*|found|find|not|never|no|only|to|could|can|cannot|will|would"
    r"|should|may"
    r"|might|must|is|are|was|were|has|have|had|be|been|did|does|do)\b)(?!\w+n't\b)[^\s,;:|()]+"
)
"""A word inside a noun phrase: no verb, no conjunction, no denial."""

ADVERB = r"(?:now|all|both|also|then|each|still|even|just|already|finally|eventually|again|itself|therefore|thus|\w+ly)"
"""What may stand before a verb."""

WE = rf"(?<![\w'])(?:we|I)(?:'ve| have| had)?(?: {ADVERB}){{0,2}} "
"""The authors, before what they did."""

LACK = (
    r"(?:unavailab\w+|inaccessib\w+|(?:was|were|is|are|be) (?:not|never) (?:\w+ly )?(?:available|accessible"
    r"|installed|possible"
    r"|feasible|granted|delivered|released|supplied|provided)|(?:did|could|would) not (?:fit|run|load|finish"
    r"|complete|start"
    r"|install|be \w+)|cannot be \w+|couldn't|no (?:access|licen[cs]e|permission|gpu|time)|lack(?:s|ed|ing)?\b"
    r"|licen[cs]e"
    r"|too (?:large|slow|expensive|long|costly|big|little)|(?:out of|limited|insufficient|not enough|short of|save)"
    r" (?:time|memory"
    r"|compute|budget|resources|disk)|(?:time|memory|budget|compute|resource|hardware) (?:limit\w*|constraint\w*"
    r"|budget)"
    r"|failed|crashed|timed out|broke\b|broken|missing|refused|ran out|not installed|impossible|prevented|did not"
    r" suffice"
    r"|insufficient|(?:memory|time|storage|money|compute|funding|budget) (?:was|were|is|are) (?:limited|short|scarce"
    r"|tight|lacking)"
    r"|(?:was|were) (?:down|offline|closed|gone|lost|stolen|damaged|destroyed|shut))"
)
"""Why something could not be done: a design is chosen for other reasons."""

# "The proposed method" is what the study is about, not what it set out to do.
_NO_METHOD = (
    r"(?! (?:\w+ )?(?:methods?|models?|approach(?:es)?|frameworks?|architectures?|algorithms?|systems?|techniques?"
    r"|solutions?"
    r"|loss(?:es)?|networks?|modules?|metrics?|objectives?|estimators?|schemes?|strateg(?:y|ies)|ones?|before|here"
    r"|in|by)\b)"
)
PLANNED = rf"(?:(?:planned|intended|foreseen|envisaged|envisioned|scheduled|pre-?registered)\b|proposed\b{_NO_METHOD})"
"""What was to be done, before what it was."""
