"""Message lists of Claude Code, made from the calls of an agent."""

from __future__ import annotations

from collections.abc import Iterable

ROOT = "/home/user/study"
Call = tuple[str, dict[str, str], str]


def messages_of(calls: Iterable[Call]) -> list[object]:
    """A message list in which an agent calls tools: the tool, what it is given, and what came back."""
    messages: list[object] = [{"role": "user", "content": "go"}]
    for number, (tool, given, answer) in enumerate(calls):
        use = {"type": "tool_use", "id": f"t{number}", "name": tool, "input": given}
        result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": answer, "is_error": False}
        messages += [{"role": "assistant", "content": [use]}, {"role": "user", "content": [result]}]
    return messages


def written(path: str, text: str) -> Call:
    """The agent writes a file."""
    return "Write", {"file_path": f"{ROOT}/{path}", "content": text}, "File created successfully"


def ran(command: str, answer: str = "") -> Call:
    """The agent runs a command in the study's directory."""
    return "Bash", {"command": f"cd {ROOT} && {command}"}, answer
