"""How a process ended is decided by everything recorded, never by one flag alone."""

from __future__ import annotations

import pytest

from provchain.inspection.status import last_error, reconcile_status
from provchain.model import Status

TRACEBACK = "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    import x\nModuleNotFoundError: No module named 'x'\n"


def test_a_bare_error_whose_cause_went_into_a_log_is_explained_by_the_log() -> None:
    ending = reconcile_status(is_error=True, text=TRACEBACK, text_from="run.log")
    assert ending.status is Status.FAILED
    assert ending.error == "ModuleNotFoundError: No module named 'x'"


def test_a_pipe_hides_the_failure_and_the_traceback_shows_it() -> None:
    ending = reconcile_status(is_error=False, hidden=True, text="epoch 1\n" + TRACEBACK)
    assert ending.status is Status.FAILED
    assert "end of its output" in ending.source


def test_an_error_that_was_caught_leaves_the_status_and_is_kept() -> None:
    ending = reconcile_status(is_error=False, text=TRACEBACK + "falling back\nepoch 1\nepoch 2\naccuracy 0.9\n")
    assert ending.status is Status.COMPLETED
    assert ending.caught == "ModuleNotFoundError: No module named 'x'"


def test_a_last_record_of_level_error_is_a_failure_although_the_process_returned_zero() -> None:
    text = "12:00 - main - INFO - start\n12:01 - main - ERROR - Experiment failed: name 'X' is not defined\n"
    assert reconcile_status(is_error=False, text=text).status is Status.FAILED


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ({"is_error": False}, Status.COMPLETED),
        ({"is_error": True}, Status.FAILED),
        ({"is_error": True, "timed_out": True}, Status.ABORTED),
        ({"is_error": None, "answered": False}, Status.UNKNOWN),
        ({"is_error": None, "exit_code": 0}, Status.COMPLETED),
        ({"is_error": None, "exit_code": 1}, Status.FAILED),
        ({"is_error": None, "exit_code": 137}, Status.ABORTED),
        ({"is_error": False, "background": True, "hidden": True}, Status.RUNNING),
        ({"is_error": False, "hidden": True}, Status.UNKNOWN),
    ],
)
def test_what_is_not_known_stays_unknown(given: dict[str, object], status: Status) -> None:
    assert reconcile_status(**given).status is status  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (TRACEBACK, "ModuleNotFoundError: No module named 'x'"),
        ('  File "a.py", line 105\n    }\n    ^\nSyntaxError: closing parenthesis', "SyntaxError: closing parenthesis"),
        (
            "python: can't open file '/x/a.py': [Errno 2] No such file or directory",
            "python: can't open file '/x/a.py': [Errno 2] No such file or directory",
        ),
        ("/bin/bash: line 3: foo: command not found", "/bin/bash: line 3: foo: command not found"),
        (
            "usage: main.py [-h]\nmain.py: error: unrecognized arguments: --version 1",
            "main.py: error: unrecognized arguments: --version 1",
        ),
        (
            'Traceback (most recent call last):\n  File "a", line 1\nsklearn.datasets._openml.OpenMLError: not found.',
            "sklearn.datasets._openml.OpenMLError: not found.",
        ),
        ("all good, 0 errors", None),
        ("the word Error: in a sentence\nok", None),
    ],
)
def test_the_last_error_is_found_in_its_many_forms(text: str, error: str | None) -> None:
    found = last_error(text)
    assert (found[0] if found else None) == error


def test_an_error_that_the_last_record_tells_again_is_how_it_ended() -> None:
    """The level of the last record says "info", and what it says is the error."""
    logged = "12:01 - main - ERROR - API call failed: Error code 404, no such model 'm'\n"
    told = "12:01 - main - INFO - Model test: Error code 404, no such model 'm'\n"
    assert reconcile_status(is_error=False, text=f"12:00 - main - INFO - start\n{logged}{told}").status is Status.FAILED
    went_on = "12:02 - main - INFO - fell back to model 'n'\n12:03 - main - INFO - accuracy 0.91\n"
    assert reconcile_status(is_error=False, text=f"{logged}{told}{went_on}").status is Status.COMPLETED
