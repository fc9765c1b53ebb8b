"""What the tools of Claude Code did, from the input of a call and the text that came back.

An answer with an error flag does not mean that something ran and failed: the tool may have refused. A refused command
did not start, a refused edit changed nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from provchain.events import CommandRun, Event, FileEdited, FileRead, FileWritten
from provchain.model import Place

__all__ = ["Answer", "Session", "ToolCall", "text_of"]

_REFUSALS = re.compile(
    r"\s*(?:<tool_use_error>|InputValidationError\b|(?:Error: )?(?:"
    r"The user doesn't want to (?:proceed|take this action)|The tool use was rejected|User rejected|"
    r"\[?Request interrupted by user|Claude requested permissions|Permission to use \S+ .*\bdenied|"
    r"Permission (?:for this action )?(?:has been )?denied\b.*tool|This command requires approval|"
    r"This Bash command contains multiple operations|No such tool available|Tool \S+ not found|"
    r"Command contains|cd to '.*' was blocked|\S+ (?:in '.*' )?was blocked\. For security|Path \S+ was blocked))",
    re.DOTALL,
)
_NOT_WRITTEN = re.compile(
    r"\s*(?:Error: )?(?:File has not been read yet|File does not exist|File has been (?:unexpectedly )?modified|"
    r"String to replace not found|Found \d+ matches of the string|No changes to make|No such file|"
    r"Cannot (?:create|edit|write)|File is in a directory|File is a Jupyter|EACCES|ENOENT|EISDIR|ENOSPC|Path does not)",
)
_TIMED_OUT = re.compile(r"\s*Command timed out after (?:\d+h ?)?(?:\d+m ?)?(?:\d+(?:\.\d+)?m?s)?(?: |\n|$)")
_EXIT_CODE = re.compile(r"(?:Error: )?Exit code (\d{1,5})(?:\n|$)")
_TRUNCATED = re.compile(r"\.\.\. \[\d+ (?:lines|characters) truncated\] \.\.\.")
_RESET = re.compile(r"\n?(?:<system-reminder>)?Shell cwd was reset to ([^\n<]+)(?:</system-reminder>)?\s*$")
_REMINDER = re.compile(r"\n*<system-reminder>(?:(?!<system-reminder>).)*</system-reminder>\s*$", re.DOTALL)
_NUMBERED = re.compile(r" *(\d+)(?:\t|→)")
_BACKGROUND = re.compile(
    r"Command (?:running in|was moved to the|was manually) background\w*.*?ID:? ?([\w-]+)", re.DOTALL
)
_TAGGED = re.compile(r"<(status|exit_code|stdout|stderr)>(.*?)</\1>", re.DOTALL)
_READ_LIMIT = 2_000  # lines, and characters of a line, that the Read tool shows


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool: where, which, with what."""

    at: Place
    name: str
    input: dict[str, Any]

    def word(self, *keys: str) -> str | None:
        """Give the first of these inputs that is a text."""
        return next((value for key in keys if isinstance(value := self.input.get(key), str)), None)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: the text, the error flag, and the content as it stood."""

    text: str
    is_error: bool | None
    content: Any = None

    @property
    def refused(self) -> bool:
        """Whether the tool says that it did not do what it was asked."""
        return self.is_error is not False and _REFUSALS.match(self.text) is not None


def text_of(content: Any) -> str:
    """Join the texts of an answer, which is a string or a list of blocks."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = [block.get("text") if isinstance(block, dict) else block for block in content]
    return "\n".join(part for part in parts if isinstance(part, str))


@dataclass(slots=True)
class _Background:
    """What is known of a command that was left running."""

    parts: list[str] = field(default_factory=list)
    exit_code: int | None = None
    status: str = ""


@dataclass(slots=True)
class Session:
    """Turns calls into events; remembers what one answer says about other calls."""

    running: dict[str, _Background] = field(default_factory=dict)
    cwd: str | None = None

    def note(self, call: ToolCall, answer: Answer | None) -> None:
        """Take note of an answer that shows the output of a command in the background."""
        name = call.word("bash_id", "shell_id", "task_id")
        if call.name not in ("BashOutput", "TaskOutput") or name is None or answer is None or answer.is_error:
            return
        state = self.running.setdefault(name, _Background())
        for tag, value in _TAGGED.findall(answer.text):
            if tag == "status":
                state.status = value.strip()
            elif tag == "exit_code" and value.strip().isdigit():
                state.exit_code = int(value.strip()[:9])
            elif tag in ("stdout", "stderr"):
                state.parts.append(value.strip("\n"))

    def events(self, call: ToolCall, answer: Answer | None) -> Iterator[Event]:
        """Say what a call did, as far as its answer tells."""
        name = call.name
        if name == "Bash":
            event = self._command(call, answer)
            if event is not None:
                yield event
        elif name == "Batch":
            for inner, part in _split_batch(call, answer):
                yield from self.events(inner, part)
        elif answer is None or answer.is_error or answer.refused or _NOT_WRITTEN.match(answer.text):
            return
        elif name == "Write":
            path, text = call.word("file_path", "path"), call.word("content", "text")
            if path is not None and text is not None:
                yield FileWritten(call.at, name, path, text)
        elif name in ("Edit", "MultiEdit"):
            yield from _edited(call)
        elif name == "NotebookEdit":
            path = call.word("notebook_path", "file_path")
            if path is not None:
                # The cell's old source is not recorded: nothing that could be found in the file stands for it.
                old = f"\0cell {call.word('cell_id') or call.input.get('cell_number', '')}"
                yield FileEdited(call.at, name, path, ((old, call.word("new_source") or "", False),))
        elif name == "Read":
            event_read = _read(call, answer)
            if event_read is not None:
                yield event_read

    def _command(self, call: ToolCall, answer: Answer | None) -> CommandRun | None:
        command = call.word("command")
        if command is None:
            return None
        cwd = self.cwd
        background = call.input.get("run_in_background") is True
        if answer is None:
            return CommandRun(call.at, command, background=background, cwd=cwd)
        if answer.refused:
            return CommandRun(call.at, command, answer.text, answer.is_error, refused=True, cwd=cwd)
        text, exit_code, timed_out = answer.text, None, False
        reset = _RESET.search(text)
        self.cwd = reset[1].strip() if reset else None
        text = text[: reset.start()] if reset else text
        if answer.is_error:
            coded = _EXIT_CODE.match(text)
            if coded:
                exit_code, text = int(coded[1]), text[coded.end() :]
            mark = _TIMED_OUT.match(text)
            if mark:
                timed_out, text = True, text[mark.end() :]
            elif text.strip() == "Error":
                text = ""  # the tool's word for a failure that printed nothing
        started = _BACKGROUND.match(text) if not answer.is_error else None
        if started or background:
            state = self.running.get(started[1] if started else "", _Background())
            text, exit_code, background = "\n".join(state.parts), state.exit_code, True
            timed_out = state.status in ("timeout", "timed_out")
        return CommandRun(
            call.at,
            command,
            text if not background or text else None,
            answer.is_error,
            exit_code,
            timed_out=timed_out,
            truncated=_TRUNCATED.search(text) is not None,
            background=background,
            cwd=cwd,
        )


def _edited(call: ToolCall) -> Iterator[Event]:
    path = call.word("file_path", "path")
    edits = call.input.get("edits") if call.name == "MultiEdit" else [call.input]
    if path is None or not isinstance(edits, list):
        return
    done: list[tuple[str, str, bool]] = []
    for edit in edits:
        if not isinstance(edit, dict):
            return
        old, new = edit.get("old_string", ""), edit.get("new_string")
        if not isinstance(old, str) or not isinstance(new, str):
            return
        done.append((old, new, edit.get("replace_all") is True or (edit.get("expected_replacements") or 1) != 1))
    if call.name == "Edit" and done[0][0] == "":
        yield FileWritten(call.at, call.name, path, done[0][1])  # an edit of nothing makes the file
    elif done:
        yield FileEdited(call.at, call.name, path, tuple(done))


def _read(call: ToolCall, answer: Answer) -> FileRead | None:
    """Give the text that was shown, without the line numbers that the tool puts before each line."""
    path = call.word("file_path", "path")
    shown = answer.text
    while found := _REMINDER.search(shown, max(len(shown) - 4_000, 0)):
        shown = shown[: found.start()]
    lines: list[str] = []
    expected = None
    gap = _TRUNCATED.search(shown) is not None
    for line in shown.split("\n"):
        number = _NUMBERED.match(line)
        value = int(number[1][:9]) if number else 0
        if number and (expected is None or value == expected or (gap and value > expected)):
            expected = value + 1
            lines.append(line[number.end() :])
        elif lines and not number:
            lines[-1] += "\n" + line  # a line that itself holds a line end of another kind
        elif line.strip():
            return None  # an image, a warning: no text of the file
    if path is None:
        return None
    cut = any(call.input.get(key) is not None for key in ("limit", "offset", "pages"))
    cut = cut or gap or len(lines) >= _READ_LIMIT or any(len(line) >= _READ_LIMIT for line in lines)
    empty = not lines and "contents are empty" in answer.text
    return FileRead(call.at, path, "\n".join(lines), not cut) if lines or empty else None


def _split_batch(call: ToolCall, answer: Answer | None) -> Iterator[tuple[ToolCall, Answer | None]]:
    """Give each invocation of a batch with its part of the answer, found by the heading ``Tool(arguments):``."""
    listed = call.input.get("invocations")
    inner = [
        ToolCall(call.at, one["tool_name"], given if isinstance(given := one.get("input"), dict) else {})
        for one in (listed if isinstance(listed, list) else [])
        if isinstance(one, dict) and isinstance(one.get("tool_name"), str) and one["tool_name"] != "Batch"
    ]
    if answer is None:
        yield from ((one, None) for one in inner)
        return
    if answer.refused:
        yield from ((one, answer) for one in inner)
        return
    flag = None if answer.is_error is False else answer.is_error
    for one, part in zip(inner, _batch_parts(inner, answer), strict=True):
        yield one, Answer(part, flag) if part is not None else None


def _batch_parts(inner: list[ToolCall], answer: Answer) -> list[str | None]:
    blocks = answer.content if isinstance(answer.content, list) else answer.text.split("\n")
    texts = [block.get("text") if isinstance(block, dict) else block for block in blocks]
    plain = [text if isinstance(text, str) else "" for text in texts]
    starts: list[int | None] = []
    position = 0
    for one in inner:
        heads = (n for n in range(position, len(plain)) if _is_heading(plain[n], one.name))
        found = next(heads, None)
        starts.append(found)
        position = position if found is None else found + 1
    bounds = [start for start in starts if start is not None] + [len(plain)]
    parts: list[str | None] = []
    for start in starts:
        if start is None:
            parts.append(None)
        else:
            end = next(bound for bound in bounds if bound > start)
            parts.append("\n".join(plain[start + 1 : end]))
    return parts


def _is_heading(text: str, name: str) -> bool:
    return text.startswith(f"{name}(") and text.rstrip().endswith("):")
