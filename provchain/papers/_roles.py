"""What a number in a manuscript is for: a result, a setting, a citation, an illustration, or no claim at all.

Works on words around a number and on the kind of its section, whatever the format of the manuscript. Where nothing says
otherwise a number is a result: what is wrongly checked shows up in a report, what is wrongly dropped does not.

Spec: docs/reference/matching.md, 5.8.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from provchain.model import ClaimRole
from provchain.numbers import Number
from provchain.papers import _wording as words
from provchain.papers._sections import SectionKind

__all__ = [
    "CITING_ROW",
    "PART_OF_NAME",
    "Judged",
    "Sentence",
    "cites",
    "is_own",
    "is_setting_name",
    "is_statement",
    "labels_column",
    "labels_following",
    "labels_itself",
    "labels_section",
    "named_number",
    "reports_metric",
    "role_in_sentence",
    "role_of_shape",
    "tells_what_ran",
    "without_citations",
]

Judged = tuple[ClaimRole, str]

CITING_ROW = "its row cites other work"
"""Why a cell is cited whose row names other work; the study's own files may know better."""

PART_OF_NAME = "identifier"
"""The shape of digits that belong to a name (``GPT-4``, ``F1``, ``top-1``): they claim nothing at all."""

_ORDINAL = "the number of a section, figure, table or step"
_SHAPES = {
    "version": "a version",
    "date": "a date",
    "time": "a time of day",
    "year": "a year",
}
_LONGEST_SENTENCE = 4000  # characters; what is longer is no sentence, and its end labels nothing at its start
_REPORTING = (SectionKind.RESULTS, SectionKind.UNKNOWN)


class Sentence(Struct):
    """A sentence of prose with what holds for every number in it.

    Attributes:
        text: With markup blanked.
        kind: What its section does.
        cited: It holds a citation.
        own: It speaks of the authors' own work.
        label: What says that its numbers are made up, a forecast or an example; else empty.
        result: It speaks of an outcome of that own work.
        reports: It says that others reported its numbers.
        splits: It speaks of parts of the data.
        modal: It says what may, will or should be.
    """

    text: str
    kind: SectionKind
    cited: bool = False
    own: bool = False
    label: str = ""
    result: bool = False
    reports: bool = False
    splits: bool = False
    modal: bool = False

    @classmethod
    def read(cls, text: str, kind: SectionKind) -> Sentence:
        """Look at a sentence once for all its numbers."""
        head = text[:_LONGEST_SENTENCE]
        label = labels_itself(head)
        if not label and kind is SectionKind.EXPECTED:
            label = "its section holds expectations"
        if not label and kind not in (*_REPORTING, SectionKind.SETUP) and words.FORECAST.search(head) is not None:
            label = "a forecast"
        # "For example, accuracy rose to 0.9" in a results section is a result.
        if (
            not label
            and kind not in (SectionKind.RESULTS, SectionKind.SETUP)
            and words.EXAMPLE.search(head) is not None
        ):
            label = "an example"
        own = words.OWN.search(head) is not None
        splits = words.SPLIT.search(head) is not None
        return cls(
            text=head,
            kind=kind,
            cited=cites(head),
            own=own,
            label=label,
            result=own and words.OWN_RESULT.search(head) is not None,
            reports=words.REPORTED.search(head) is not None,
            splits=splits and (kind is not SectionKind.RESULTS or "split" in head.lower()),
            modal=words.MODAL.search(head) is not None,
        )


def labels_itself(text: str) -> str:
    """Say how a caption, note or sentence labels the numbers in it as made up, or nothing.

    Example:
        >>> labels_itself("Table 2: Hypothetical scores"), labels_itself("Accuracy on the synthetic dataset")
        ('labelled: Hypothetical scores', '')
    """
    return _label(text, words.LABELS)


def _label(text: str, patterns: Sequence[re.Pattern[str]]) -> str:
    for pattern in patterns:
        for found in pattern.finditer(text):
            before = text[max(0, found.start() - 60) : found.start()]
            if words.NOT_THE_LABEL.search(before) is None and not _is_worked_on(text, before, found):
                return _quoted(found)
    weak = words.WEAK_LABEL.search(text)
    if weak is not None and words.LEARNS.search(text) is None:
        return _quoted(weak)
    return ""


def _quoted(label: re.Match[str]) -> str:
    """Say which words label, without the marks around them."""
    return f"labelled: {' '.join(label.group().split()).strip(' ,.:;()[]–—-*')[:60]}"


def _is_worked_on(text: str, before: str, label: re.Match[str]) -> bool:
    """Whether what a label is said of was only the object of the work: "accuracy on hypothetical values"."""
    return (
        words.WORKED_ON_BEFORE.search(before) is not None
        or words.WORKED_ON_AFTER.search(label.group()) is not None
        or words.WORKED_ON_AFTER.match(text[label.end() : label.end() + 40]) is not None
    )


def labels_following(text: str) -> str:
    """Say how a sentence labels the numbers of a table or figure that it leads up to.

    Example:
        >>> labels_following("The values below are placeholders."), labels_following("It serves hypothetical users.")
        ('labelled: values below are placeholders', '')
    """
    return _label(text, words.LEADING_LABELS)


def labels_section(section: Sequence[str]) -> str:
    """Say how the headings above a place label what stands under them; the title of the document labels nothing.

    Example:
        >>> labels_section(["A Title", "Layout check with dummy data"]), labels_section(["Dummy data in vision"])
        ('labelled: Layout check', '')
    """
    return next((label for name in section[1:] if (label := _label(name, words.HEADING_LABELS))), "")


def labels_column(header: str) -> str:
    """Say how the header of a column labels what stands in it; a "simulated" column is as often a result.

    Example:
        >>> labels_column("score (made up)"), labels_column("simulated values")
        ('labelled: made up', '')
    """
    found = words.COLUMN_LABEL.search(header)
    return _quoted(found) if found else ""


def is_own(label: str) -> bool:
    """Whether the label of a row or column says that its numbers are the authors' own.

    Example:
        >>> is_own("SVM of [4] (our re-run)"), is_own("SVM [4]"), is_own("SVM (our previous work [4])")
        (True, False, False)
    """
    return words.OWN_LABEL.search(label) is not None


def cites(text: str) -> bool:
    r"""Whether a text cites other work: ``[12]``, ``(Smith et al., 2020)``, ``\cite{x}``, ``[@x]``."""
    if words.CITE_COMMAND.search(text) is not None or words.AUTHOR_YEAR.search(text) is not None:
        return True
    return any(
        not found.group().startswith("[0")
        and words.INTERVAL_BEFORE.search(text[max(0, found.start() - 24) : found.start()]) is None
        for found in words.CITATION.finditer(text)
    )


def without_citations(label: str) -> str:
    """Take the citations out of the label of a row: what is left is called after nobody.

    Args:
        label: The label.

    Example:
        >>> [without_citations(label) for label in ("SVM [4]", "Simme (Kunz et al., 2014)", "[3]", "knn†")]
        ['SVM', 'Simme', '', 'knn']
    """
    for pattern in (words.CITE_COMMAND_WHOLE, words.AUTHOR_YEAR, words.CITATION, words.DAGGER):
        label = pattern.sub(" ", label)
    return " ".join(label.split()).strip(" ,;:()")


def is_setting_name(label: str) -> bool:
    """Whether a row label, a column header or a key names a setting (``learning_rate``, ``Batch size``).

    Example:
        >>> is_setting_name("learning_rate"), is_setting_name("Seed"), is_setting_name("mAP")
        (True, True, False)
    """
    return len(label) <= 80 and words.SETTING_LABEL.fullmatch(label) is not None


def role_of_shape(number: Number) -> Judged | None:
    """Give the role of digits that are no number."""
    why = _SHAPES.get(number.shape)
    return (ClaimRole.NOT_A_RESULT, why) if why else None


def role_in_sentence(number: Number, sentence: Sentence, whole: str) -> Judged:
    """Decide the role of a number in prose; the first rule that applies.

    Args:
        number: The number, with offsets into ``whole``.
        sentence: Its sentence.
        whole: The paragraph around it, with markup blanked.
    """
    before = whole[max(0, number.start - 90) : number.start]
    after = whole[number.end : number.end + 60]
    shape = role_of_shape(number)
    if shape is not None:
        ordinal = number.shape == "version" and words.NUMBERED_THING.search(before) is not None
        return (shape[0], _ORDINAL) if ordinal else shape
    listed = words.LISTED_BEFORE.search(before)
    if listed is not None and words.LISTED_AFTER.match(after) is not None and _names_setting(listed.group(1)):
        return ClaimRole.SETTING, "one of the values that a setting takes"
    syntax = _syntactic_role(number, before, after, whole)
    if syntax is not None:
        return syntax
    if sentence.kind is SectionKind.REFERENCES:
        return ClaimRole.NOT_A_RESULT, "bibliography"
    if sentence.label:
        return ClaimRole.ILLUSTRATIVE, sentence.label
    if sentence.kind in _REPORTING and words.FORECAST_OF_NUMBER.search(before) is not None:
        return ClaimRole.ILLUSTRATIVE, "a forecast"
    if words.NOT_REACHED.search(sentence.text) and (
        words.EXPECTED_NUMBER.search(before) or words.NUMBER_EXPECTED.match(after)
    ):
        return ClaimRole.ILLUSTRATIVE, "an expectation that was not reached"
    setting = _setting_role(number, sentence, before, after)
    cited = _citation_role(sentence)
    if cited is not None and not (setting is not None and sentence.own):
        return cited
    if setting is not None:
        return setting
    if sentence.kind in (SectionKind.SETUP, SectionKind.METHOD):
        measured = sentence.kind is SectionKind.SETUP and _is_measurement(number)
        if measured or reports_metric(number, whole):
            return ClaimRole.RESULT, ""
        return ClaimRole.SETTING, f"stands in a {sentence.kind.value} section"
    if sentence.kind in (SectionKind.FUTURE, SectionKind.PLANNED) and sentence.modal and _is_planned(number, whole):
        return ClaimRole.ILLUSTRATIVE, "a plan for the future"
    return ClaimRole.RESULT, ""


def _names_setting(name: str) -> bool:
    return words.METRIC.fullmatch(name) is None and words.NO_SETTING_NAME.fullmatch(name) is None


def named_number(number: Number, text: str) -> tuple[str, str] | None:
    """Give the word right before a number and the number, where the two may name something (``noise 0.3``, ``k=5``).

    Args:
        number: The number, with offsets into ``text``.
        text: What it stands in, with markup blanked.
    """
    found = words.WORD_BEFORE.search(text[max(0, number.start - 60) : number.start])
    if found is None or words.METRIC.fullmatch(found.group(1)) is not None:
        return None
    return found.group(1).lower(), str(number.value.normalize())


def _clause(number: Number, whole: str) -> tuple[str, str]:
    """The words of a number's clause before it and behind it."""
    before, after = whole[max(0, number.start - 200) : number.start], whole[number.end : number.end + 200]
    start = max((found.end() for found in words.CLAUSE_START.finditer(before)), default=0)
    end = words.CLAUSE_END.search(after)
    return before[start:], after[: end.start()] if end is not None else after


def reports_metric(number: Number, whole: str) -> bool:
    """Whether a number's clause says what some measure came to ("reaches an accuracy of 0.91").

    Args:
        number: The number, with offsets into ``whole``.
        whole: The paragraph around it, with markup blanked.
    """
    if number.decimals == 0 and not number.percent:
        return False
    before, after = _clause(number, whole)
    if words.REPORTS_BEFORE.search(before) is None or words.CONDITION.search(before) or words.MODAL.search(before):
        return False
    return words.METRIC.search(before) is not None or words.METRIC.match(after[:30].lstrip()) is not None


def _is_planned(number: Number, whole: str) -> bool:
    """Whether what may or will be is said of a number: in its clause, or before it where the clause reports nothing."""
    before, after = _clause(number, whole)
    if words.MODAL.search(before) is not None or words.MODAL.search(after) is not None:
        return True
    earlier = whole[max(0, number.start - 300) : number.start]
    return words.MODAL.search(earlier) is not None and not reports_metric(number, whole)


def _is_measurement(number: Number) -> bool:
    """Whether a number can hardly have been chosen: a spread, or a duration with a fraction."""
    return number.uncertainty is not None or (number.decimals > 0 and number.unit in ("s", "ms", "min", "h"))


def _syntactic_role(number: Number, before: str, after: str, whole: str) -> Judged | None:
    """Find numbers that number something: sections, figures, citations, list items."""
    plain = not (number.percent or number.unit or number.uncertainty is not None or number.modifier)
    # Only sections and the like are counted with a point: "class 0.91" is no class.
    ordinal = number.decimals == 0 or (number.decimals <= 2 and words.SECTION_BEFORE.search(before) is not None)
    if plain and ordinal and number.significant <= 4 and words.NUMBERED_THING.search(before) is not None:
        return ClaimRole.NOT_A_RESULT, _ORDINAL
    if plain and number.decimals == 0:
        opened, closed = before.rfind("["), after.find("]")
        if opened >= 0 <= closed:
            inside = before[opened:] + number.written + after[: closed + 1]
            if words.CITATION.fullmatch(inside) and words.INTERVAL_BEFORE.search(before[:opened]) is None:
                return ClaimRole.NOT_A_RESULT, "a citation"
        listed = before.endswith("(") and number.value <= 20 and words.AFTER_ENUMERATOR.match(after) is not None
        if listed and whole.find("(1)", 0, _LONGEST_SENTENCE) >= 0:
            return ClaimRole.NOT_A_RESULT, "numbers a list"
    in_brackets = words.IN_BRACKETS.search(before) is not None and words.CLOSES_BRACKETS.match(after) is not None
    if in_brackets and before.endswith("[") != after.startswith("]"):
        return ClaimRole.NOT_A_RESULT, "an interval or a list"
    return None


def _setting_role(number: Number, sentence: Sentence, before: str, after: str) -> Judged | None:
    """Find settings by the words around them."""
    counted = number.decimals == 0 and not number.percent and words.COUNTED_SETTING.match(after) is not None
    if (
        sentence.kind is SectionKind.RESULTS
        and not counted  # "d = 64 columns" is no effect size
        and words.SIGNIFICANCE.search(before)
        and words.SAMPLE_SIZE.search(before) is None
    ):
        return None
    if sentence.kind in _REPORTING and words.MOMENT_BEFORE.search(before) is not None:
        return None
    if words.KEY_BEFORE.search(before) is not None:
        return ClaimRole.SETTING, "follows the name of a setting"
    if counted:
        earlier = words.RANGE_START.sub("", before)
        outcome = sentence.kind in _REPORTING and words.OUTCOME_BEFORE.search(earlier) is not None
        if not outcome or words.ALWAYS_SETTING.match(after):
            return ClaimRole.SETTING, "counts what was used"
    if number.decimals <= 1 and words.VARIED_BEFORE.search(before) is not None:
        return ClaimRole.SETTING, "what was varied"
    share = number.percent or "/" in after[:3] or "/" in before[-3:]
    if share and sentence.splits and words.SPLIT_SHARE.match(after) is not None:
        return ClaimRole.SETTING, "a split of the data"
    return None


def _citation_role(sentence: Sentence) -> Judged | None:
    """Find numbers that belong to other work."""
    kind = sentence.kind
    if kind is SectionKind.INTRODUCTION and not sentence.cited and words.OWN_IN_INTRODUCTION.search(sentence.text):
        return None
    if kind in (SectionKind.BACKGROUND, SectionKind.INTRODUCTION) and not sentence.result:
        return ClaimRole.CITED, f"stands in a section of {kind.value}"
    # A results section cites what its methods are called after; only a report of somebody's number is theirs.
    own = kind is SectionKind.RESULTS or sentence.result
    if sentence.cited and (sentence.reports or not own):
        return ClaimRole.CITED, "its sentence cites other work"
    return None


def is_statement(sentence: Sentence) -> bool:
    """Whether a sentence without a number reports an outcome: a comparison, what ran or did not, a count in words.

    Example:
        >>> is_statement(Sentence.read("Our method outperforms all baselines.", SectionKind.RESULTS))
        True
        >>> is_statement(Sentence.read("It may outperform all baselines.", SectionKind.RESULTS))
        False
        >>> is_statement(Sentence.read("The second method was planned but not executed.", SectionKind.RESULTS))
        True
    """
    if not _may_state(sentence):
        return False
    return _compares(sentence) or tells_what_ran(sentence, explaining=True)


def tells_what_ran(sentence: Sentence, *, explaining: bool) -> bool:
    """Whether a sentence says what was run, what was not, or how often: a report of the work wherever it stands.

    Args:
        sentence: The sentence.
        explaining: Whether what is said to be behind a result counts as well, as it does among results.

    Example:
        >>> epoch = Sentence.read("The model was tuned for one epoch.", SectionKind.SETUP)
        >>> tells_what_ran(epoch, explaining=False)
        True
        >>> tells_what_ran(Sentence.read("If it was not run, ask.", SectionKind.SETUP), explaining=False)
        False
    """
    text = sentence.text
    if not _may_state(sentence) or words.CONDITION.search(text) is not None:
        return False
    if words.RAN.search(text) or (explaining and words.EXPLAINED.search(text)):
        return True
    counted = words.COUNTED_IN_WORDS.search(text) is not None and words.IN_THE_PAST.search(text) is not None
    return counted and not sentence.modal


def _may_state(sentence: Sentence) -> bool:
    return not (sentence.label or len(sentence.text) > 1500 or (sentence.cited and not sentence.own))


def _compares(sentence: Sentence) -> bool:
    return not sentence.modal and words.COMPARATIVE.search(sentence.text) is not None
