"""Labels as bags of words: how a table header and a key of a result file can be seen to say the same.

``"F1-Score"``, ``"f1_score"`` and ``"f1"``; ``"Avg. Accuracy"`` and ``"mean_acc"``; ``"ROUGE-1"`` and ``"rouge1"``. Only notation that is
general in the trade is known here; what one study calls its things is learnt from its own tables (see ``tables``).
"""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["initials", "names_percent", "names_rate", "split_words"]

_MAX_TEXT = 2_000  # characters of one label or sentence that are looked at
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_LATEX = re.compile(r"\\(?:text|math)[a-z]{2}\b|\\[a-z]+\b")

# One spelling for many. Words that are left out (None) carry no meaning of their own in a label.
_ALIASES: dict[str, str | None] = {
    "acc": "accuracy", "accuracies": "accuracy", "prec": "precision", "rec": "recall", "spec": "specificity", "param": "parameter",
    "parameters": "parameter", "params": "parameter", "avg": "mean", "average": "mean", "averaged": "mean", "stdev": "std",
    "stddev": "std", "sd": "std", "sec": "second", "secs": "second", "val": "validation", "valid": "validation", "dev": "validation",
    "eval": "evaluation", "evaluated": "evaluation", "evaluating": "evaluation", "train": "training", "trained": "training",
    "tst": "test", "testing": "test", "mem": "memory", "max": "maximum", "min": "minimum", "num": "number", "count": "number",
    "pos": "positive", "neg": "negative", "sim": "similarity", "temp": "temperature", "dim": "dimension", "corr": "correlation",
    "pct": "percent", "ms": "millisecond", "gen": "generation", "iter": "iteration", "iters": "iteration", "cls": "class",
    "classes": "class", "aug": "augmented", "ppl": "perplexity", "err": "error", "conf": "confidence", "sens": "sensitivity",
    "comp": "compression", "exec": "execution", "ref": "reference", "pred": "prediction", "indices": "index", "hparams": "parameter",
    "rates": "rate", "lora": "lora", "auc": "auc", "auroc": "auroc", "bs": "batch",
    "the": None, "a": None, "an": None, "of": None, "in": None, "on": None, "for": None, "to": None, "and": None, "or": None, "is": None,
    "was": None, "were": None, "are": None, "be": None, "by": None, "with": None, "at": None, "as": None, "from": None, "that": None,
    "this": None, "it": None, "its": None, "our": None, "ours": None, "we": None, "than": None, "while": None, "which": None, "has": None,
    "had": None, "have": None, "only": None, "also": None, "but": None, "both": None, "all": None, "each": None, "per": None, "vs": None,
    "score": None, "scores": None, "value": None, "values": None, "using": None, "compared": None, "respectively": None, "achieved": None,
    "achieves": None, "json": None, "csv": None, "txt": None, "tsv": None,
}  # fmt: skip
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
_RATES = frozenset(
    "accuracy precision recall f1 rate auc auroc roc bleu rouge match specificity sensitivity ratio fraction percent percentage "
    "share reduction improvement coverage exact em map ndcg hit utilization sparsity overlap agreement error".split()  # noqa: SIM905
)


@lru_cache(maxsize=65536)
def split_words(text: str) -> tuple[str, ...]:
    """Split a label or a sentence into its words: lower case, one spelling each, in order.

    Example:
        >>> split_words("avg_F1Score"), split_words("ROUGE-1 (val)"), split_words("learning_rate") == split_words("lr")
        (('mean', 'f1'), ('rouge', '1', 'validation'), True)
    """
    text = text[:_MAX_TEXT]
    if "\\" in text:
        text = _LATEX.sub(" ", text)
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
            spelled = _ALIASES.get(word, _singular(word))
            if spelled is not None:
                words.append(spelled)
    return tuple(words)


def _singular(word: str) -> str:
    """``epochs`` → ``epoch``, ``losses`` → ``loss``; ``loss``, ``bias`` and ``gas`` stay."""
    if len(word) > 4 and word.endswith("sses"):
        return word[:-2]
    if len(word) > 3 and word[-1] == "s" and word[-2] not in "sui":
        return word[:-1]
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
