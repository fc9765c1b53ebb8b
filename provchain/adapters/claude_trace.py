"""Claude Code message lists (``claude_output.json``): what ``claude -p --output-format json --verbose`` left.

A JSON list of messages with a role and content. A tool call is a ``tool_use`` block of the assistant, its answer a
``tool_result`` block of a later message with the same id. No exit code, no time, no working directory is recorded.
Recognised by content; a file of another program that holds role and content, but no tool call, is none of ours.

What each tool's call and answer mean stands in ``_claude_tools``.

Spec: none is published; the grammar follows recorded runs of Claude Code 0.2 to 2.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from provchain.adapters._claude_tools import Answer, Session, ToolCall, text_of
from provchain.adapters._json_source import read_json, shorten
from provchain.errors import MalformedSourceError, Problem
from provchain.events import Event, FileRead, Message
from provchain.model import Place, RecorderKind

__all__ = ["ClaudeTrace"]

_HEAD = 65_536
_SEARCHED = 64_000_000  # bytes that are searched for a tool call
_NAME = re.compile(r"claude[\w.-]*(?:output|trace|log|messages)[\w.-]*\.json", re.IGNORECASE)
_TOOL_USE = re.compile(rb'"type"\s*:\s*"tool_use"')
_ENDING = re.compile(rb'"(?:cost_usd|duration_api_ms|total_cost_usd)"\s*:')
_MOST_PROBLEMS = 1_000
_DEEPEST = 20  # conversations inside answers inside conversations
_WALKED = ("text", "tool_use", "tool_result")


@dataclass(slots=True)
class _Block:
    """One block of one message, in the order of the conversation."""

    index: int
    role: str
    block: dict[str, Any]


@dataclass(slots=True)
class _Conversation:
    """The blocks of a trace, and the answers by the id of their call."""

    blocks: list[_Block] = field(default_factory=list)
    answers: dict[str, list[tuple[int, dict[str, Any]]]] = field(default_factory=dict)
    closing: tuple[int, str] | None = None


# The harness shows a file that changed since it was last read in two messages: this note, then what stands in the file.
_SHOWN = re.compile(
    r"\s*Note: (\S[^\n]*?) was modified, either by the user or by a linter\.[^\n]*"
    r"running `cat -n` on a snippet of the edited file:"
)


class ClaudeTrace:
    """Read a Claude Code message list; the harness observed what its tools answered.

    Example:
        >>> ClaudeTrace().name
        'claude-trace'
    """

    name = "claude-trace"
    recorder = RecorderKind.OBSERVER

    def recognises(self, source: Path) -> bool:
        """Say whether a file is a list of messages with tool calls in it.

        Args:
            source: Any path.

        Returns:
            Whether to read it. A file that has the usual name and is empty or cut off is ours too, to say so.
        """
        if source.suffix.lower() != ".json" or not source.is_file():
            return False
        named = _NAME.fullmatch(source.name) is not None
        try:
            with source.open("rb") as stream:
                head = stream.read(_HEAD)
                start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
                if not start:
                    return named
                if not re.match(rb"\[\s*\{", start):
                    return named and re.match(rb"\[\s*$|[^\x20-\x7e\s]", start) is not None
                if b'"role"' not in head and b'"message"' not in head:
                    return False
                return named or self._holds_calls(stream, head)
        except OSError:
            return named

    @staticmethod
    def _holds_calls(stream: Any, head: bytes) -> bool:
        read, tail = len(head), b""
        while head:
            if _TOOL_USE.search(tail + head) or _ENDING.search(tail + head):
                return True
            tail, head = head[-100:], stream.read(1 << 20) if read < _SEARCHED else b""
            read += len(head)
        return False

    def read(self, source: Path, *, root: Path) -> Iterator[Event]:
        """Read the events of a trace in the order of its messages.

        Args:
            source: The trace.
            root: The audited directory.

        Yields:
            Commands, files written, edited and read, and the words of agent and person.

        Raises:
            SourceError: It cannot be read.
            MalformedSourceError: It is no message list; all problems at once.
        """
        messages = read_json(source)
        problems = list(_problems(str(source), messages))
        if problems:
            raise MalformedSourceError(problems, hint="this is not a message list as Claude Code writes it")
        path = source.relative_to(root).as_posix() if source.is_relative_to(root) else source.as_posix()
        yield from _events(_conversation(messages), path)


def _problems(path: str, messages: Any) -> Iterator[Problem]:
    """Name everything that keeps a decoded file from being a message list."""
    if not isinstance(messages, list):
        yield Problem(path, "$", "a list of messages", shorten(messages))
        return
    count = 0
    for index, message in enumerate(messages):
        for where, expected, found in _message_problems(message):
            yield Problem(path, f"$[{index}]{where}", expected, found)
            count += 1
            if count >= _MOST_PROBLEMS:
                return


def _message_problems(message: Any) -> Iterator[tuple[str, str, str]]:
    if not isinstance(message, dict):
        yield "", "an object", shorten(message)
        return
    inner, where = message, ""
    if "role" not in message and isinstance(message.get("message"), dict):
        inner, where = message["message"], ".message"
    elif "role" not in message and isinstance(message.get("type"), str):
        return  # a line of the newer stream that is no message: init, result
    role, content = inner.get("role"), inner.get("content")
    if not isinstance(role, str):
        yield f"{where}.role", "a string", shorten(role) if "role" in inner else "nothing"
    if content is None or isinstance(content, str):
        return
    if not isinstance(content, list):
        yield f"{where}.content", "a list, a string or nothing", shorten(content)
        return
    for number, block in enumerate(content):
        place = f"{where}.content[{number}]"
        if isinstance(block, str):
            continue
        if not isinstance(block, dict):
            yield place, "an object", shorten(block)
        elif block.get("type") == "tool_use":
            if not isinstance(block.get("name"), str):
                yield f"{place}.name", "a string", shorten(block.get("name"))
            if not isinstance(block.get("input", {}), dict):
                yield f"{place}.input", "an object", shorten(block["input"])


def _conversation(messages: list[dict[str, Any]]) -> _Conversation:
    """Lay out the blocks of all messages, those of nested conversations at the place of their outer message."""
    conversation = _Conversation()
    for index, message in enumerate(messages):
        inner = message
        if "role" not in message and isinstance(message.get("message"), dict):
            inner = message["message"]
        _lay_out(conversation, index, inner, 0)
        result = message.get("result")
        if isinstance(result, str):
            conversation.closing = (index, result)
    return conversation


def _lay_out(conversation: _Conversation, index: int, message: dict[str, Any], depth: int) -> None:
    role = message.get("role")
    content = message.get("content")
    if not isinstance(role, str):
        return
    for block in content if isinstance(content, list) else [content]:
        whole = {"type": "text", "text": block} if isinstance(block, str) else block
        if isinstance(whole, dict) and whole.get("type") in _WALKED:
            _lay_out_block(conversation, index, role, whole, depth)


def _lay_out_block(conversation: _Conversation, index: int, role: str, block: dict[str, Any], depth: int) -> None:
    if block["type"] != "tool_result":
        conversation.blocks.append(_Block(index, role, block))
        return
    key = block.get("tool_use_id")
    if isinstance(key, str):
        conversation.answers.setdefault(key, []).append((index, block))
    nested = block.get("content")
    for inner in nested if isinstance(nested, list) and depth < _DEEPEST else []:
        if isinstance(inner, dict) and isinstance(inner.get("message"), dict):
            inner = inner["message"]  # noqa: PLW2901 - the envelope says nothing more
        if isinstance(inner, dict) and "role" in inner and "content" in inner:
            _lay_out(conversation, index, inner, depth + 1)
        elif isinstance(inner, dict) and inner.get("type") in ("tool_use", "tool_result"):
            _lay_out_block(conversation, index, "assistant", inner, depth + 1)


def _events(conversation: _Conversation, path: str) -> Iterator[Event]:
    session = Session()
    answers = {key: list(found) for key, found in conversation.answers.items()}
    calls: list[tuple[_Block, ToolCall | None, Answer | None]] = []
    for entry in conversation.blocks:
        if entry.block["type"] == "text":
            calls.append((entry, None, None))
            continue
        call = ToolCall(Place(path, str(entry.index)), entry.block["name"], entry.block.get("input") or {})
        answer = _answer_to(entry, answers)
        calls.append((entry, call, answer))
        session.note(call, answer)  # answers of background commands come as the answers of later calls
    last_words = shown = ""
    for entry, each_call, answer in calls:
        if each_call is not None:
            yield from session.events(each_call, answer)
        else:
            text = entry.block.get("text")
            if isinstance(text, str) and text.strip():
                if shown and entry.role == "user":
                    yield FileRead(Place(path, str(entry.index)), shown, text, complete=True)
                    shown = ""
                    continue
                note = _SHOWN.match(text) if entry.role == "user" else None
                shown = note.group(1) if note is not None and not text[note.end() :].strip() else ""
                speaker = "person" if entry.role == "user" else "agent"
                last_words = text if speaker == "agent" else last_words
                yield Message(Place(path, str(entry.index)), speaker, text)
    if conversation.closing and conversation.closing[1].strip() not in ("", last_words.strip()):
        yield Message(Place(path, str(conversation.closing[0])), "agent", conversation.closing[1])


def _answer_to(entry: _Block, answers: dict[str, list[tuple[int, dict[str, Any]]]]) -> Answer | None:
    """Take the first answer with the id of a call that does not stand before it; an id may be used twice."""
    key = entry.block.get("id")
    waiting = answers.get(key, []) if isinstance(key, str) else []
    position = next((n for n, (index, _) in enumerate(waiting) if index >= entry.index), None)
    if position is None:
        return None
    block = waiting.pop(position)[1]
    flag = block.get("is_error")
    content = block.get("content")
    return Answer(text_of(content), flag if isinstance(flag, bool) else None, content)
