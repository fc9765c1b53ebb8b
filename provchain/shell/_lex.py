"""Take apart what a grammar of bash is bad at: quotes, substitutions and here-documents become placeholders.

The grammar of tree-sitter knows one here-document per line, and loses its way in an unterminated one, in long quoted
code and in deep nesting. What is left after this pass is a *skeleton*: operators, keywords and plain words. It is
small, it needs no error recovery in practice, and the raw texts it lacks are kept beside it.

Spec: https://www.gnu.org/software/bash/manual/bash.html#Quoting, #Redirections (here documents).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

__all__ = ["HereDocument", "Skeleton", "end_of", "read_skeleton"]

_TOP = re.compile(r"\\.|\$?['\"]|`|\$\(|\(\(|\$\{|[<>]\(|<<<|<<|#|\n", re.DOTALL)
_NESTED = {
    "(": re.compile(r"\\.|\$?['\"]|`|\$\(|\$\{|<<<|<<|#|[()\n]", re.DOTALL),
    '"': re.compile(r"\\.|\"|`|\$\(|\$\{", re.DOTALL),
    "`": re.compile(r"\\.|`", re.DOTALL),
    "{": re.compile(r"\\.|\$?['\"]|`|\$\(|\$\{|\}", re.DOTALL),
    "((": re.compile(r"\\.|`|\$\(|\$\{|[()]", re.DOTALL),
    "'": re.compile(r"'"),
    "$'": re.compile(r"\\.|'", re.DOTALL),
}
_OPENS = {"$(": "(", "(": "(", "<(": "(", ">(": "(", "${": "{", '"': '"', '$"': '"', "'": "'", "$'": "$'", "`": "`"}
_CLOSES = {"(": ")", "{": "}", '"': '"', "`": "`", "'": "'", "$'": "'"}
_DELIMITER = re.compile(r"-?[ \t]*((?:\\.|'[^'\n]*'|\"[^\"\n]*\"|[^\s;|&<>()'\"\\])+)")
_BEFORE_COMMENT = " \t\n;|&("


@dataclass(slots=True)
class HereDocument:
    """One here-document: how it was announced, what it says, whether its body is taken word for word."""

    head: str
    delimiter: str
    quoted: bool
    strip: bool
    body: str = ""

    @property
    def text(self) -> str:
        """What the command reads: leading tabs gone for ``<<-``, escapes of an unquoted body resolved."""
        body = re.sub(r"^\t+", "", self.body, flags=re.MULTILINE) if self.strip else self.body
        return body if self.quoted else re.sub(r"\\([$`\\]|\n)", lambda found: found[1].strip("\n"), body)

    @property
    def verbatim(self) -> bool:
        """Whether the text is known exactly: nothing in it is expanded by the shell."""
        return self.quoted or not re.search(r"(?<!\\)(?:\\\\)*(?:\$[\w({@*#?!$-]|`)", self.body)


@dataclass(slots=True)
class Skeleton:
    """The text without quotes, substitutions, comments and bodies, and the way back."""

    text: str
    mark: str
    raws: list[str] = field(default_factory=list)
    documents: dict[int, HereDocument] = field(default_factory=dict)

    def restore(self, text: str) -> str:
        """Put the raw texts back in the places of their placeholders."""
        if self.mark not in text:
            return text
        return re.sub(self.mark + r"(\d+)Z", lambda found: self.raws[int(found[1])], text)

    def document(self, word: str) -> HereDocument | None:
        """Say which here-document a redirect target stands for."""
        found = re.fullmatch(self.mark + r"(\d+)Z", word)
        return self.documents.get(int(found[1])) if found else None


def _announce(text: str, at: int) -> tuple[HereDocument, int] | None:
    """Read ``<<-'EOF'`` that begins at ``at``; give the document and the index after it."""
    found = _DELIMITER.match(text, at + 2)
    if found is None:
        return None
    word = found[1]
    quoted = any(mark in word for mark in "'\"\\")
    plain = re.sub(r"\\(.)|['\"]", lambda part: part[1] or "", word) if quoted else word
    return HereDocument(text[at : found.end()], plain, quoted, text[at + 2] == "-"), found.end()


def _read_body(text: str, at: int, document: HereDocument) -> int:
    """Read the body that begins at ``at``; an unterminated one takes the rest, as in bash. Give the index after it."""
    start, size = at, len(text)
    while at < size:
        if document.strip:
            end = text.find("\n", at)
            end = size if end < 0 else end
            if text[at:end].lstrip("\t") == document.delimiter:
                break
            at = end + 1
            continue
        if text.startswith(document.delimiter, at):
            end = at + len(document.delimiter)
            if end == size or text[end] == "\n":
                break
        found = text.find("\n" + document.delimiter, at)
        at = size if found < 0 else found + 1
    else:
        end = size
        at = size
    document.body = text[start:at]
    if at >= size and document.body and not document.body.endswith("\n"):
        document.body += "\n"  # bash ends the last line of an unterminated body too
    return min(end + 1, size)


def _is_comment(text: str, at: int) -> bool:
    return at == 0 or text[at - 1] in _BEFORE_COMMENT


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def end_of(text: str, at: int) -> int:
    """Find the index after the quote or substitution that opens at ``at``; the end of the text if it never closes.

    Args:
        text: Shell source.
        at: Index of an opening mark.

    Returns:
        The index after its closing mark.

    Example:
        >>> end_of('x "$(echo ")")" y', 2)
        15
    """
    first = _TOP.match(text, at)
    opener = first[0] if first else text[at]
    if text.startswith("$((", at) or opener == "((":
        stack, position = ["(("], at + opener.index("(") + 2
        depth = [1]  # parentheses open in the innermost arithmetic
    else:
        stack, position, depth = [_OPENS[opener]], at + len(opener), []
    pending: list[HereDocument] = []
    while stack:
        kind = stack[-1]
        found = _NESTED[kind].search(text, position)
        if found is None:
            return len(text)
        piece, position = found[0], found.end()
        if piece[0] == "\\":
            continue
        if kind == "((" and piece in "()":
            depth[-1] += 1 if piece == "(" else -1
            if depth[-1] < 0:
                stack.pop()
                depth.pop()
        elif piece == _CLOSES.get(kind):
            stack.pop()
        elif piece == "#":
            position = _line_end(text, position) if _is_comment(text, found.start()) else position
        elif piece == "<<":
            announced = _announce(text, found.start())
            if announced:
                pending.append(announced[0])
                position = announced[1]
        elif piece == "\n":
            for document in pending:
                position = _read_body(text, position, document)
            pending = []
        elif text.startswith("$((", found.start()):
            stack.append("((")
            depth.append(1)
            position += 1
        elif piece in _OPENS:
            stack.append(_OPENS[piece])
    return position


def _fresh_mark(text: str) -> str:
    number = 0
    while f"PC{number}Z" in text:
        number += 1
    return f"PC{number}Z"


def read_skeleton(text: str) -> Skeleton:
    """Split a command text into its skeleton and the raw texts that were taken out.

    Args:
        text: Shell source, without NUL characters.


    Example:
        >>> skeleton = read_skeleton("cat > f <<'E' | tee g\\nhello\\nE\\nls \\"a b\\"")
        >>> print(skeleton.text)
        cat > f <PC0Z0Z | tee g
        ls PC0Z1Z
        >>> skeleton.documents[0].text, skeleton.raws[1]
        ('hello\\n', '"a b"')
    """
    mark = _fresh_mark(text)
    skeleton = Skeleton("", mark)
    parts: list[str] = []
    pending: list[HereDocument] = []
    position, size = 0, len(text)

    def replace(raw: str) -> str:
        skeleton.raws.append(raw)
        return f"{mark}{len(skeleton.raws) - 1}Z"

    while position < size:
        found = _TOP.search(text, position)
        start = found.start() if found else size
        parts.append(text[position:start])
        if found is None:
            break
        piece, position = found[0], found.end()
        if piece[0] == "\\":
            parts.append("" if piece == "\\\n" else piece)
        elif piece == "\n":
            parts.append("\n")
            for document in pending:
                position = _read_body(text, position, document)
            pending = []
        elif piece == "#":
            comment = _is_comment(text, start)
            parts.append("" if comment else "#")
            position = _line_end(text, position) if comment else position
        elif piece == "<<":
            announced = _announce(text, start)
            if announced is None:
                continue
            document, position = announced
            pending.append(document)
            parts.append("<" + replace(document.head[1:]))
            skeleton.documents[len(skeleton.raws) - 1] = document
        elif piece in ("<<<", "(("):
            position = end_of(text, start) if piece == "((" else position
            parts.append(text[start:position])
        else:
            position = end_of(text, start)
            parts.append(replace(text[start:position]))
    skeleton.text = re.sub(r"\n\s+", "\n", "".join(parts))
    return skeleton
