"""Labels as bags of words: how a table header and a key of a result file can be seen to say the same.

``"F1-Score"``, ``"f1_score"`` and ``"f1"``; ``"Avg. Accuracy"`` and ``"mean_acc"``; ``"ROUGE-1"`` and ``"rouge1"``.
Only notation that is general in the trade is known here; what one study calls its things is learnt from its own
tables (see ``tables``).
"""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["AGGREGATES", "initials", "names_percent", "names_rate", "split_words"]

AGGREGATES = frozenset(["mean", "total", "overall", "sum"])
"""Words of a label that ask for one number over many, which no one of the many is."""

_MAX_TEXT = 2_000  # characters of one label or sentence that are looked at
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_LETTERS = "alpha beta gamma delta epsilon kappa lambda mu rho sigma tau phi chi"
_GREEK = str.maketrans(dict(zip("αβγδεκλμρστφχ", (f" {name} " for name in _LETTERS.split()), strict=True)))
_LATEX_GREEK = re.compile(rf"\\({_LETTERS.replace(' ', '|')})(?![A-Za-z])")
_LATEX = re.compile(r"\\(?:text|math)[a-z]{2}\b|\\[a-z]+\b")

# One spelling for many.
_SPELLINGS = {
    "accuracy": "acc accuracies accurate accurately",
    "precision": "prec precise precisely",
    "recall": "rec",
    "specificity": "spec",
    "parameter": "param parameters params hparams",
    "mean": "avg average averaged",
    "std": "stdev stddev sd",
    "second": "sec secs",
    "validation": "val valid dev",
    "evaluation": "eval evaluated evaluating",
    "training": "train trained",
    "test": "tst testing",
    "memory": "mem",
    "maximum": "max",
    "minimum": "min",
    "number": "num count",
    "positive": "pos",
    "negative": "neg",
    "similarity": "sim",
    "temperature": "temp",
    "dimension": "dim",
    "correlation": "corr",
    "percent": "pct",
    "millisecond": "ms",
    "generation": "gen",
    "iteration": "iter iters",
    "class": "cls classes",
    "augmented": "aug",
    "perplexity": "ppl",
    "error": "err",
    "confidence": "conf",
    "sensitivity": "sens",
    "compression": "comp",
    "execution": "exec",
    "reference": "ref",
    "prediction": "pred",
    "index": "indices",
    "rate": "rates",
    "batch": "bs",
}
# Words that carry no meaning of their own in a label.
_EMPTY_WORDS = """
the a an of in on for to and or is was were are be by with at as from that this it its our ours we than while
which has had have only also but both all each per vs score scores value values using compared respectively
achieved achieves json csv txt tsv
"""
_EMPTY = frozenset(_EMPTY_WORDS.split())
_ALIASES = {written: word for word, spellings in _SPELLINGS.items() for written in spellings.split()}
_PAIRS: dict[tuple[str, str], tuple[str, ...]] = {
    ("f", "1"): ("f1",),
    ("standard", "deviation"): ("std",),
    ("std", "deviation"): ("std",),
    ("std", "dev"): ("std",),
    ("out", "distribution"): ("ood",),
}
_SHORT: dict[str, tuple[str, ...]] = {
    "lr": ("learning", "rate"),
    "wd": ("weight", "decay"),
    "bsz": ("batch", "size"),
    "oom": ("memory",),
}
# What is measured is named as a noun in a file, and by an adjective or a verb in a sentence: both get one form. Only
# endings that make a name of a property are known; others (``-ive`` and ``-ation``, ``-ent`` and ``-ence`` at large) would
# merge what differs: an adaptive method and its adaptation, different results and their difference.
_ENDINGS = (
    ("able", "ability"),
    ("ible", "ibility"),
    ("verge", "vergence"),
    ("verged", "vergence"),
    ("verging", "vergence"),
    ("vergent", "vergence"),
    ("istent", "istency"),
    ("icient", "iciency"),
    ("herent", "herence"),
    ("iverse", "iversity"),
    ("sparse", "sparsity"),
    ("complex", "complexity"),
    ("calibrated", "calibration"),
)
_IN_IES = frozenset(["series", "species", "movies", "cookies", "calories", "zombies", "selfies"])
_NOT_OF_AN_ENDING = frozenset(["table", "variable", "available", "able", "cable", "unable", "enable", "possible"])
_RATES_WORDS = """
accuracy precision recall f1 rate auc auroc roc bleu rouge match specificity sensitivity ratio fraction percent
percentage share reduction improvement coverage exact em map ndcg hit utilization sparsity overlap agreement
error
"""
_RATES = frozenset(_RATES_WORDS.split())


@lru_cache(maxsize=65536)
def split_words(text: str) -> tuple[str, ...]:
    """Split a label or a sentence into its words: lower case, one spelling each, in order.

    Example:
        >>> split_words("avg_F1Score"), split_words("ROUGE-1 (val)"), split_words("learning_rate") == split_words("lr")
        (('mean', 'f1'), ('rouge', '1', 'validation'), True)
    """
    text = text[:_MAX_TEXT]
    if not text.isascii():
        text = text.translate(_GREEK)
    if "\\" in text:
        text = _LATEX.sub(" ", _LATEX_GREEK.sub(r" \1 ", text))
    raw = [word.lower() for word in _WORD.findall(text)]
    words: list[str] = []
    position = 0
    while position < len(raw):
        pair = _PAIRS.get((raw[position], raw[position + 1])) if position + 1 < len(raw) else None
        if pair is not None:
            words += pair
            position += 2
            continue
        word = raw[position]
        position += 1
        if word in _SHORT:
            words += _SHORT[word]
        else:
            spelled = _ALIASES.get(word) or _property(_singular(word))
            if word not in _EMPTY and spelled not in _EMPTY:
                words.append(spelled)
    return tuple(words)


def _singular(word: str) -> str:
    """``epochs`` → ``epoch``, ``losses`` → ``loss``, ``queries`` → ``query``; ``loss``, ``bias``, ``series`` stay."""
    if len(word) > 4 and word.endswith("sses"):
        return word[:-2]
    if len(word) > 5 and word.endswith("ies") and word not in _IN_IES:
        return word[:-3] + "y"
    if len(word) > 3 and word[-1] == "s" and word[-2] not in "sui" and not word.endswith("ias"):
        return word[:-1]
    return word


@lru_cache(maxsize=65536)
def _property(word: str) -> str:
    """``stable`` → ``stability``, ``converges`` → ``convergence``, ``robustness`` → ``robust``; other words stay."""
    if len(word) < 6 or word in _NOT_OF_AN_ENDING:
        return word
    if word.endswith("ness") and len(word) >= 8:
        return word[:-4]
    for ending, noun in _ENDINGS:
        if word.endswith(ending):
            return word[: -len(ending)] + noun
    return word


def initials(words: tuple[str, ...]) -> str:
    """The first letters of a label of two to six words, by which a key may call it (``WGA``); else empty."""
    return "".join(word[0] for word in words) if 2 <= len(words) <= 6 else ""


def names_percent(text: str) -> bool:
    """Whether a header or sentence says that its numbers are percentages."""
    lowered = text.lower()
    return "%" in lowered or "percent" in lowered or "pct" in lowered


def names_rate(words: frozenset[str]) -> bool:
    """Whether words name a quantity between 0 and 1 that is also written as a percentage."""
    return not _RATES.isdisjoint(words)
