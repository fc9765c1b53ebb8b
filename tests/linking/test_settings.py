"""Settings in manuscripts against the configuration that completed executions used."""

from __future__ import annotations

from decimal import Decimal

import pytest

from provchain.linking import link_settings
from provchain.model import COUNT, Claim, ClaimKind, ClaimRole, Link, Value

SETTING = ClaimRole.SETTING


def value(lexical: str, *labels: str, path: str = "a.py", selector: str = "line=1") -> Value:
    identifier = f"{path}#1!{selector};{'/'.join(labels)}"
    return Value(identifier, f"{path}#1", path, selector, lexical, Decimal(lexical), labels)


def link(written: str, text: str, *values: Value, **fields: object) -> list[Link]:
    claim = Claim("c", ClaimKind.NUMBER, "p.md", 3, 1, written, text, role=SETTING, **fields)  # type: ignore[arg-type]
    return link_settings([claim], values)


def found(written: str, text: str, *values: Value, **fields: object) -> list[tuple[str, bool]]:
    by_id = {one.id: one.lexical for one in values}
    return [(by_id[one.operands[0]], one.agrees) for one in link(written, text, *values, **fields)]


@pytest.mark.parametrize(
    ("written", "text", "lexical", "labels"),
    [
        ("16", "Hyperparameters: epochs=2, batch_size=16, lr=5e-5", "16", ("training", "batch_size")),
        ("5e-5", "Hyperparameters: epochs=2, batch_size=16, lr=5e-5", "5e-5", ("lr",)),
        ("0.99", "Discount factor (γ): 0.99", "0.99", ("gamma",)),
        ("1,000", "Training steps: 1,000 timesteps", "1000", ("max_steps",)),
        ("1000", "Synthetic data (1000 samples, 20 features)", "1000", ("make_classification", "n_samples")),
        ("5", "Expert data of a heuristic policy (5 episodes)", "5", ("expert_episodes",)),
        ("50", "AG News train split (50 examples)", "50", ("split", "train", COUNT)),
        ("10", "Number of queries: 10", "10", ("queries", "docs", COUNT)),
        ("10", "k-means with 10 restarts", "10", ("KMeans", "n_init")),
        ("20%", "a split of 80% / 20%", "0.2", ("test_size",)),
        ("80%", "a split of 80% / 20%", "0.2", ("test_size",)),
        ("~300", "a subset of ~300 samples", "300", ("train_test_split", "train_size")),
    ],
)
def test_a_setting_is_found_by_its_name_and_number(
    written: str, text: str, lexical: str, labels: tuple[str, ...]
) -> None:
    assert found(written, text, value(lexical, *labels)) == [(lexical, True)]


def test_a_setting_in_a_table() -> None:
    seed = value("42", "seed")
    assert found("42", "| Random seed | 42 |", seed, row="Random seed", header="Value", table=1, cell=(1, 2))
    dropout = value("0.5", "Dropout")
    fields = {"row": "Model", "header": "Value", "table": 1, "cell": (1, 2)}
    assert found("0.5", "| Model | MLP (dropout=0.5) |", dropout, **fields) == [("0.5", True)]


@pytest.mark.parametrize(
    ("written", "text", "labels"),
    [
        ("42", "We repeat with 42 folds.", ("seed",)),
        ("3", "Averaged over 3 workers.", ("depth",)),
        ("64", "A batch of 64", ("hidden", COUNT)),
    ],
)
def test_a_number_alone_is_no_setting(written: str, text: str, labels: tuple[str, ...]) -> None:
    assert found(written, text, value(written, *labels)) == []


class TestAnotherValue:
    """What bears the very name and always has another number contradicts; anything less only stays open."""

    WARN, DEP = value("0.9", "TAU_WARN"), value("0.95", "TAU_DEP", selector="line=2")

    def test_of_the_same_name(self) -> None:
        text = r"thresholds $\tau_{\text{warn}}=0.5$, $\tau_{\text{dep}}=0.9$"
        assert found("0.5", text, self.WARN, self.DEP) == [("0.9", False)]

    def test_a_setting_is_chosen_and_not_rounded(self) -> None:
        text = r"thresholds $\tau_{\text{warn}}=0.9$, $\tau_{\text{dep}}=0.9$"
        at = text.rindex("0.9")
        assert found("0.9", text, self.WARN, self.DEP, offset=at) == [("0.95", False)]

    def test_of_what_is_counted(self) -> None:
        queries, docs = value("10", "queries", "docs", COUNT), value("50", "split", "train", COUNT)
        assert found("50", "AG News train (50 queries)", queries, docs) == [("10", False)]

    def test_where_it_also_has_that_number(self) -> None:
        assert found("50", "We used 50 queries.", value("10", "queries", COUNT), value("50", "n_queries")) == [
            ("50", True)
        ]

    def test_of_a_name_that_many_things_have(self) -> None:
        assert found("5", "with n = 5", value("7", "n")) == []
        assert found("5", "We train 5 models.", value("7", "hidden")) == []

    def test_an_estimate_contradicts_nothing(self) -> None:
        assert found("~500", "We used ~500 queries.", value("10", "queries", COUNT)) == []


def test_a_share_of_the_data_contradicts_no_count_of_it() -> None:
    share = value("0.25", "test_size")
    assert found("480", "We hold 480 test samples out.", share) == []
    assert found("480", "We hold 480 test samples out.", value("500", "test_size")) == [("500", False)]
    assert found("30%", "a test split of 30%", share) == found("25", "| Test size | 25 |", share) == []


def test_a_word_that_only_counts_is_no_name() -> None:
    """In "a dimension of 256 means" the list ``mean=[0.5, 0.5, 0.5]`` of three is not meant."""
    assert found("256", "If the dimension of 256 means the embedding, it fits", value("3", "mean", COUNT)) == []
