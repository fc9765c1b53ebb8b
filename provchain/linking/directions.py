"""Which way a measure is better: accuracy when it is higher, loss and latency when they are lower.

What a table says itself decides first (``↑``, "lower is better"); then the words of the label that are general in the trade.
A label that says nothing known has no direction, and nothing is concluded from its numbers.

Spec: docs/reference/matching.md, 5.10.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from provchain.linking.words import split_words

__all__ = ["Direction", "direction_of"]


class Direction(NamedTuple):
    """What is known of a measure.

    Attributes:
        better: 1 where higher is better, -1 where lower is, 0 where nothing says so.
        cost: It is a time, a size or another price, and no measure of how good something is.
        speed: 1 where higher is faster, -1 where lower is, 0 where it is no speed.
        named: Its own words say it, and not only a mark.
    """

    better: int = 0
    cost: bool = False
    speed: int = 0
    named: bool = False


_UP_MARK = re.compile(r"[↑⬆]|\\uparrow|\bhigher(?: is| =|-is)?[ -]better\b", re.IGNORECASE)
_DOWN_MARK = re.compile(r"[↓⬇]|\\downarrow|\blower(?: is| =|-is)?[ -]better\b", re.IGNORECASE)
_UP_WORDS = """
accuracy f1 precision recall specificity sensitivity auc auroc auprc roc map bleu rouge meteor chrf bertscore em
reward return throughput speedup ndcg mrr iou miou dice psnr ssim kappa mcc r2 spearman kendall pearson
silhouette fidelity utility satisfaction robust coherence bandwidth codebleu wga fps passed solved correct
"""
_UP = frozenset(_UP_WORDS.split())
_DOWN_WORDS = """
loss error rmse mse mae mape perplexity latency runtime time memory fid wer cer nll ece brier bouldin
hallucination fpr fnr regret violation toxicity cost flop disparity eer second millisecond minute
"""
_DOWN = frozenset(_DOWN_WORDS.split())
_COST_WORDS = """
latency runtime time memory cost flop flops parameter size throughput speedup fps second millisecond minute hour
mb gb energy token call query overhead speed
"""
_COST = frozenset(_COST_WORDS.split())
_SPEED = {
    **dict.fromkeys(("latency", "runtime", "time", "second", "millisecond", "minute"), -1),
    **dict.fromkeys(("throughput", "fps"), 1),
}
_PAIRS = {  # said of two words that stand in one label
    ("success", "rate"): 1,
    ("pass", "rate"): 1,
    ("win", "rate"): 1,
    ("hit", "rate"): 1,
    ("detection", "rate"): 1,
    ("solve", "rate"): 1,
    ("exact", "match"): 1,
    ("pass", "1"): 1,
    ("pass", "5"): 1,
    ("pass", "10"): 1,
    ("pass", "k"): 1,
    ("m", "ap"): 1,
    ("r", "²"): 1,
    ("true", "positive"): 1,
    ("true", "negative"): 1,
    ("false", "positive"): -1,
    ("false", "negative"): -1,
    ("failure", "rate"): -1,
    ("accuracy", "gap"): -1,
    ("performance", "gap"): -1,
    ("generalization", "gap"): -1,
    ("fairness", "gap"): -1,
}
# What is said of a measure and turns it round, or makes another thing of it.
_SAVED_WORDS = """
reduction saving speedup improvement gain decrease saved
"""
_SAVED = frozenset(_SAVED_WORDS.split())
_OTHER_WORDS = """
std variance change difference delta drop degradation increase ratio weight target threshold p rank count number
bias variability cv entropy growth relative overhead variation
"""
_OTHER = frozenset(_OTHER_WORDS.split())


@lru_cache(maxsize=4096)
def direction_of(label: str) -> Direction:
    """Say which way a measure is better, from the label of its column or row, or from a caption.

    Args:
        label: The label.

    Returns:
        What is known; nothing, where its words are not known or disagree.

    Example:
        >>> [direction_of(label).better for label in ("Accuracy (%)", "val_loss", "Error reduction", "Diversity ↑", "Depth")]
        [1, -1, 1, 1, 0]
        >>> direction_of("Latency (ms)").cost
        True
    """
    label = label[:300]
    words = split_words(label)
    known = frozenset(words)
    cost = bool(known & _COST)
    speeds = {_SPEED[word] for word in words if word in _SPEED}
    speed = speeds.pop() if len(speeds) == 1 and not known & _OTHER else 0
    up, down = _UP_MARK.search(label) is not None, _DOWN_MARK.search(label) is not None
    if up != down:
        return Direction(1 if up else -1, cost, speed)
    if up or known & _OTHER:
        return Direction(0, cost)
    signs = {sign for pair, sign in _PAIRS.items() if known.issuperset(pair)}
    if not signs:
        signs = {1} if known & _UP else set()
        signs |= {-1} if known & _DOWN else set()
    if known & _SAVED and (signs or "cost" in known):
        return Direction(1, cost, named=True)
    if len(signs) != 1:
        return Direction(0, cost)
    return Direction(signs.pop(), cost, speed, named=True)
