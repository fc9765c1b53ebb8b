"""Gemini CLI logs (``gemini_log.log``): what ``gemini`` printed when it ran unattended, the model's own words and nothing else.

No command, output, time or status stands in such a log, only that the agent says that it ran something and how that ended.
So it is testimony: it is kept and compared, and never supports a claim. Turns are printed one behind the other without a
line break (``...the results.Now I will run it.``), the agent may recite documents that nobody wrote, or say the same
paragraph a hundred times, and of several attempts only the last one is left.

Recognised by name and content: a log called after the program, whose first words are those of somebody who tells what
they do.

Source: the non-interactive mode of Gemini CLI 0.1, which writes the text parts of its answers to standard output, as its
recorded runs show it; https://github.com/google-gemini/gemini-cli
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from provchain.adapters._json_source import decode_text, read_bytes
from provchain.errors import MalformedSourceError, Problem
from provchain.events import Event, Message
from provchain.model import Place, RecorderKind

__all__ = ["GeminiLog"]

_HEAD = 16_384
_NAME = re.compile(
    r"gemini(?:[_.-]?cli)?[_.-]?(?:log|trace|session)(?:[_.-]\w{1,20})?\.(?:log|txt)"
    r"|gemini[_.-]cli(?:[_.-]output)?\.(?:log|txt)|gemini\.log",
    re.IGNORECASE,
)
_USUAL_NAME = re.compile(r"gemini[_.-]?(?:cli[_.-]?)?log\.(?:log|txt)", re.IGNORECASE)
# Somebody who tells what they are about to do; the log of a program has no first person.
_NARRATES = re.compile(
    r"\bI(?:['’](?:ll|m|ve)| (?:will|am|have|need|must|should|can|see|apologi[sz]e)) |\bLet(?:['’]s| me) ",
    re.IGNORECASE,
)
# What programs print: a time, a level, a prompt, a record, a progress bar.
_OF_A_PROGRAM = re.compile(
    r"\W{0,3}(?:\d{4}[-/]\d\d[-/]\d\d[T ]|\d\d:\d\d:\d\d|(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|CRITICAL)\b)|[{$]|\[\{"
    r"|[^\n]{0,80}\d%\|"
)
_MOST_OF_A_PROGRAM = 0.2  # share of lines
# A turn ends with a sentence, and the next one begins without a space: "...the report.Now I will", "...the plan.## Results".
# What stands in code is no sentence: `torch.Tensor` stays whole.
_GLUED = re.compile(
    r"`[^`\n]{0,400}`|(?<=[\w)`\"'’*\]])[.!?:]{1,3}"
    r"(?=#{1,6} |\*\*[A-Z]|(?:[A-Z][a-z]{1,14}|I|A)(?:['’](?:ll|m|ve|s|d|re))?,? )"
)
_AGAIN = 80  # characters of a paragraph from which on saying it word by word again is a loop
_MOST = 20_000  # messages


class GeminiLog:
    """Read the narration of Gemini CLI: testimony of the agent, one message a turn or paragraph.

    Example:
        >>> GeminiLog().recorder.value
        'testimony'
    """

    name = "gemini-log"
    recorder = RecorderKind.TESTIMONY

    def recognises(self, source: Path) -> bool:
        """Say whether a file is a log of this program.

        Args:
            source: Any path.

        Returns:
            Whether to read it. An empty file that has the usual name is ours too, to say so.
        """
        if _NAME.fullmatch(source.name) is None or not source.is_file():
            return False
        try:
            with source.open("rb") as stream:
                head = stream.read(_HEAD)
        except OSError:
            return _USUAL_NAME.fullmatch(source.name) is not None
        if not head.strip():
            return _USUAL_NAME.fullmatch(source.name) is not None
        text = decode_text(head)
        return "\0" not in text and _NARRATES.search(text) is not None and not _is_of_a_program(text)

    def read(self, source: Path, *, root: Path) -> Iterator[Event]:
        """Read the messages of a log in its order.

        A paragraph that was said before, word by word, is a loop: it is given once.

        Args:
            source: The log.
            root: The audited directory.

        Yields:
            What the agent said, at the line where it begins.

        Raises:
            SourceError: It cannot be read.
            MalformedSourceError: It holds no words at all.
        """
        text = decode_text(read_bytes(source)).replace("\r\n", "\n")
        path = source.relative_to(root).as_posix() if source.is_relative_to(root) else source.as_posix()
        said: set[str] = set()
        count = 0
        for line, words in _turns(text):
            if len(words) >= _AGAIN:
                if words in said:
                    continue
                said.add(words)
            count += 1
            if count > _MOST:
                return
            yield Message(Place(path, str(line)), "agent", words)
        if not count:
            problem = Problem(str(source), "line 1", "the words of an agent", "an empty file")
            raise MalformedSourceError([problem], hint="the recording was never written; leave it out")


def _is_of_a_program(text: str) -> bool:
    lines = [line for line in text.split("\n") if line.strip()]
    return sum(_OF_A_PROGRAM.match(line) is not None for line in lines) > _MOST_OF_A_PROGRAM * len(lines)


def _turns(text: str) -> Iterator[tuple[int, str]]:
    """Split a narration at blank lines and where two turns are glued together; with the line of each piece, from 1."""
    for number, paragraph in _paragraphs(text):
        line, start = number, 0
        ends = [found.end() for found in _GLUED.finditer(paragraph) if found.group()[0] != "`"]
        for end in [*ends, len(paragraph)]:
            piece = paragraph[start:end]
            if words := piece.strip():
                before = piece[: len(piece) - len(piece.lstrip())]
                yield line + before.count("\n"), words
            line += piece.count("\n")
            start = end


def _paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """The paragraphs of a text with the line of each, from 1."""
    kept: list[str] = []
    first = 1
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            first = first if kept else number
            kept.append(line)
        elif kept:
            yield first, "\n".join(kept)
            kept = []
    if kept:
        yield first, "\n".join(kept)
