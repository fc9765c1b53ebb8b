"""What the text around digits makes of them: a sign, a bound, an estimate, or part of a name, version, date or year.

A private half of :mod:`provchain.numbers`. Every look around is bounded, so that reading a text stays linear.
"""

from __future__ import annotations

import re
from typing import Literal

__all__ = ["Shape", "Surroundings"]

Shape = Literal["number", "version", "date", "time", "year", "identifier"]

_SP = r"[ \t\u00a0\u2007\u2009\u200a\u202f]"
_SIGNS = "-−+–﹣－"
_BEFORE_SIGN = " \t\n\r\u00a0\u2009\u202f([{|,;:=~<>≈≤≥∼/$*_\"'“‘>"
_HYPHENS = "-‐‑–_"
_EDGES = frozenset(" \t\n\r|()[]{},;*$\"'`<>~≈≤≥=±×∼")
_TOKEN_END = frozenset(" \t\n\r|<>()[]{}\"'`,;")
_TOKEN_REACH = 300  # how far a name is followed around a digit
_IDENTIFIER_TOKEN = re.compile(
    r"[a-z][a-z0-9+.-]{1,20}://|^www\.|^(?:doi|arxiv)\b|^10\.[0-9]{4,9}/|^\.{0,2}/|^~/|^[^@]{1,200}@[^@]{1,200}\.[a-z]"
    r"|\.(?:py|ipynb|md|txt|json|jsonl|ya?ml|toml|csv|tsv|log|png|jpe?g|svg|gif|pdf|tex|sh|pt|pth|pkl|npz?|parquet|html?)[.:]?$"
    r"|\.(?:zip|gz|h5|bin|cfg|ini|xml|bib|ckpt|onnx|safetensors|db|sqlite|cpp|c|js|ts|java|rs|go)[.:]?$"
    r"|^[^/]*[a-z_][^/]*/[^/]+/|^[0-9a-f]{8}-[0-9a-f]{4}-",
    re.IGNORECASE,
)
_MONTHS = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)"
)
_AFTER_MONTH = re.compile(rf"\b{_MONTHS}\.?{_SP}(?:[0-9]{{1,2}}(?:st|nd|rd|th)?,?{_SP})?$")
_BEFORE_MONTH = re.compile(rf"(?:st|nd|rd|th)?{_SP}{_MONTHS}\b")
_YEAR_CUE = re.compile(
    r"(?:\b(?:[Ii]n|[Ss]ince|[Uu]ntil|[Dd]uring|[Ff]rom|[Yy]ears?|[Bb]efore|[Aa]fter|[Ee]arly|[Ll]ate|[Mm]id)[ -]"
    r"|\((?:[^()0-9]{0,60}[, ])?|\bal\.?,? ?\(?|© ?|(?:19|20)[0-9]{2} ?(?:-|–|to) ?|, )$"
)
_YEAR_RANGE = re.compile(r" ?[-–] ?(?:19|20)[0-9]{2}\b")
_COUNTED = re.compile(r"[ -](?!this\b|across\b|thus\b|various\b|previous\b|always\b)(?:[a-z]+ing )?[a-z]{3,}s\b|[0-9]")
_VERSION_CUE = re.compile(
    r"\b(?:[Vv]ersions?|[Vv]er\.|v\.?|[Rr]elease|Python|PyTorch|CUDA|TensorFlow|Ubuntu|CUDNN|cuDNN|Claude|Gemini"
    r"|L[Ll]a[Mm][Aa]|GPT|Qwen|Mistral|Mixtral|Gemma|Phi|DeepSeek|Grok|Falcon|Vicuna|Opus|Sonnet|Haiku"
    r"|Stable Diffusion) ?$"
)
_FASTER = re.compile(
    r"[ -](?:faster|slower|speed-?ups?|improve|more|fewer|less|smaller|larger|reduction|higher|lower|better)"
)

_SYMBOLS = {
    **dict.fromkeys("~∼≈≃≅≒", "~"),
    **dict.fromkeys("≤⩽≲", "<="),
    **dict.fromkeys("≥⩾≳", ">="),
    "<": "<",
    ">": ">",
}
_NO_BOUND = re.compile(r"(?:[-=–—]|<[/A-Za-z][^<>]{0,20})>$")  # an arrow, the end of a tag
_MODIFIER = re.compile(
    r"(?:(?P<near>\b(?:[Aa]bout|[Aa]pproximately|[Aa]pprox\.?|[Aa]round|[Rr]oughly|[Nn]early|[Aa]lmost|[Cc]irca|ca\.|c\.)"
    r"|\\sim|\\approx|\\simeq|&asymp;|&sim;)"
    r"|(?P<atmost>\b(?:[Nn]o more than|[Aa]t most|[Uu]p to)|<=|\\leq?|\\leqslant|&le;)"
    r"|(?P<atleast>\b(?:[Nn]o less than|[Aa]t least)|>=|\\geq?|\\geqslant|&ge;)"
    r"|(?P<above>\b(?:[Mm]ore than|[Gg]reater than|[Ee]xceed(?:s|ed|ing)?)|\\gt|&gt;)"
    r"|(?P<below>\b(?:[Ll]ess than|[Ff]ewer than|[Ll]ower than)|\\lt|&lt;))(?:\\[ ,;])?[ \t\u00a0\u2009$*{]{0,3}$"
)
_MODIFIER_NAMES = {"near": "~", "atmost": "<=", "atleast": ">=", "above": ">", "below": "<"}


class Surroundings:
    """A text, and what it says around a place where digits stand."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._left = self._right = -1  # the last token that was looked at: one with many numbers is read once
        self._is_name = False

    def sign_start(self, start: int) -> int:
        """Move a start to the sign before it, where that is a sign and no hyphen."""
        text = self._text
        if start == 0:
            return start
        if text[start - 1] not in _SIGNS:
            return start - 7 if text.endswith("&minus;", max(0, start - 7), start) else start
        if start >= 2 and text[start - 2] not in _BEFORE_SIGN:
            return start
        if text[start - 1] == "–" and text[max(0, start - 6) : start - 1].rstrip()[-1:] in tuple("0123456789%"):
            return start  # a dash between two numbers is a range
        return start - 1

    def modifier(self, start: int) -> str:
        """Read what stands before a number and makes it a bound or an estimate."""
        before = self._text[max(0, start - 24) : start]
        stripped = before.rstrip(" \t\u00a0\u2009$*{\\")
        if not stripped:
            return ""
        last = stripped[-1]
        if last in _SYMBOLS:
            return "" if last == ">" and _NO_BOUND.search(stripped) else _SYMBOLS[last]
        if last == "=" and stripped[-2:] in ("<=", ">="):
            return stripped[-2:]
        if not (last.isalpha() or last in ".;"):
            return ""
        found = _MODIFIER.search(before)
        return _MODIFIER_NAMES[found.lastgroup or "near"] if found else ""

    def is_factor(self, start: int, end: int, *, has_fraction: bool) -> bool:
        """Whether a ``×`` or ``x`` before the digits makes them a factor: ``x2.3``, but not ``x2`` or ``224×224``."""
        text = self._text
        before = text[start - 1 : start]
        if before == "×":
            return not text[max(0, start - 3) : start - 1].rstrip()[-1:].isdigit()
        if before != "x" or (start >= 2 and (text[start - 2].isalnum() or text[start - 2] in "_\\")):
            return False
        return has_fraction or _FASTER.match(text, end) is not None

    def is_identifier(self, start: int, end: int, *, after_name_at: int) -> bool:
        """Decide whether digits are glued to a name: ``F1``, ``ResNet-50``, ``precision@10``, ``run_3``, a URL, a file.

        Args:
            start: Where the digits start, without a sign.
            end: Behind the number.
            after_name_at: Where the last digits that belong to a name ended, or -1.
        """
        text = self._text
        before, after = text[start - 1 : start], text[end : end + 1]
        if (not before or before in _EDGES) and (not after or after in _EDGES):
            return before == "{" and start >= 2 and text[start - 2] in "_^"
        if after and (_is_letter(after) or (after == "_" and text[end + 1 : end + 2].isalnum())):
            return True
        if before and (_is_letter(before) or before in "@#^"):
            return not (_is_letter(before) and self._ends_command(start))
        if before and before in _HYPHENS and start >= 2:
            earlier = text[start - 2]
            if _is_letter(earlier) or (before == "_" and (earlier.isalnum() or earlier in "})]")):
                return True
            if after_name_at == start - 1:
                return True  # the 8 of Llama-3.1-8B
        if before == "{" and start >= 2 and text[start - 2] in "_^":
            return True
        return self._in_name(start, end)

    def calendar_shape(self, start: int, end: int, digits: str, unit: str) -> Shape:
        """Decide whether an integer is a year, or the day or year of a date, or a version; else it is a number."""
        text = self._text
        before = text[max(0, start - 72) : start]
        if len(digits) == 4 and digits[:2] in ("19", "20") and unit in ("", "s"):
            if _AFTER_MONTH.search(before):
                return "date"
            if (unit == "s" and digits[3] == "0") or _YEAR_RANGE.match(text, end):
                return "year"
            if end - start == 4 and _YEAR_CUE.search(before) and not _COUNTED.match(text, end):
                return "year"
        if (
            len(digits) <= 2
            and before[-1:] == " "
            and (_AFTER_MONTH.search(before[-16:]) or _BEFORE_MONTH.match(text, end))
        ):
            return "date"
        return "number"

    def is_version(self, start: int) -> bool:
        """Whether the word before the digits names a version."""
        before = self._text[max(0, start - 16) : start]
        return before[-1:] in (" ", ".") and _VERSION_CUE.search(before) is not None

    def is_preprint_id(self, start: int) -> bool:
        """Whether the digits follow the name of a preprint server."""
        return self._text[max(0, start - 8) : start].lower().rstrip(": ").endswith("arxiv")

    def _ends_command(self, start: int) -> bool:
        """Whether the letters before a place are a TeX command, as in ``\\pm0.02``."""
        text, position = self._text, start - 1
        while position >= max(0, start - 20) and text[position].isascii() and text[position].isalpha():
            position -= 1
        return position >= 0 and text[position] == "\\"

    def _in_name(self, start: int, end: int) -> bool:
        """Whether the digits stand inside a URL, a path, a file name, a mail address or a digest."""
        text = self._text
        if not (self._left <= start and end <= self._right):
            left, right = start, end
            while left > max(0, start - _TOKEN_REACH) and text[left - 1] not in _TOKEN_END:
                left -= 1
            while right < min(len(text), end + _TOKEN_REACH) and text[right] not in _TOKEN_END:
                right += 1
            self._left, self._right = left, right
            self._is_name = _IDENTIFIER_TOKEN.search(text[left:right]) is not None
        return self._is_name


def _is_letter(character: str) -> bool:
    """Letters of scripts that put spaces between words; Chinese or Japanese text may touch a number."""
    return character.isalpha() and character < "\u2e80"
