"""Names and texts that every RDF engine accepts, made from names and texts that nobody checked.

Ids, paths and labels come from traces and papers: they hold spaces, quotes, control characters and lone surrogates. An
IRI made here is always valid and can be read back; a text made here is always valid in RDF, JSON and XML.

Spec: https://www.rfc-editor.org/rfc/rfc3987, https://www.w3.org/TR/xml/#charsets
"""

from __future__ import annotations

import re
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import quote, unquote_to_bytes

__all__ = ["Name", "clean_iri", "clean_text", "make_iri", "parse_iri", "study_iri"]

_SCHEME = "urn:provchain:"
_NOT_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_PLAIN = re.compile(r"[A-Za-z0-9_.~-]*")
# Everything that the IRI grammar leaves out; a percent sign that starts no escape is the same kind of mistake.
_PLANES = "".join(f"{chr(plane << 16)}-{chr((plane << 16) + 0xFFFD)}" for plane in range(1, 14))
_NOT_IRI = re.compile(
    "[^!#$%&'()*+,./0-9:;=?@A-Z_a-z~\\-\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef"
    f"{_PLANES}\U000e1000-\U000efffd]|%(?![0-9A-Fa-f]{{2}})"
)
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_AUTHORITY = re.compile(r"(?P<user>[^@\[\]]*@)?(?:\[(?P<ip>[0-9A-Fa-f:.]*)\]|[^@:\[\]]*)(?::[0-9]*)?")


class Name(NamedTuple):
    """What an IRI of ours names."""

    study: str
    kind: str
    id: str


def _encode(text: str) -> str:
    # surrogatepass: a lone surrogate has no UTF-8, yet its id must come back as it was
    return text if _PLAIN.fullmatch(text) else quote(text.encode("utf-8", "surrogatepass"), safe="")


def _decode(text: str) -> str:
    return unquote_to_bytes(text).decode("utf-8", "surrogatepass")


def study_iri(study: str) -> str:
    """Name a study; the IRI of everything in it starts with this and ``:``.

    Example:
        >>> study_iri("run 1")
        'urn:provchain:run%201'
    """
    return _SCHEME + _encode(study)


def make_iri(study: str, kind: str, id: str) -> str:  # noqa: A002 - the glossary's word
    """Name one thing of a study, whatever its id holds.

    Args:
        study: The study's id.
        kind: ``"claim"``, ``"artifact"``, ``"execution"`` ...
        id: The record's id, any text at all.

    Example:
        >>> make_iri("run 1", "artifact", "results/a.json#2")
        'urn:provchain:run%201:artifact/results%2Fa.json%232'
    """
    return f"{_SCHEME}{_encode(study)}:{kind}/{_encode(id)}"


def parse_iri(iri: str) -> Name | None:
    """Read back what `make_iri` named, or ``None`` where the IRI is not ours.

    Example:
        >>> parse_iri("urn:provchain:run%201:artifact/results%2Fa.json%232")
        Name(study='run 1', kind='artifact', id='results/a.json#2')
    """
    if not iri.startswith(_SCHEME):
        return None
    study, colon, rest = iri[len(_SCHEME) :].partition(":")
    kind, slash, local = rest.partition("/")
    if not colon or not slash:
        return None
    try:
        return Name(_decode(study), kind, _decode(local))
    except UnicodeDecodeError:
        return None


def clean_text(text: str) -> str:
    """Replace what no RDF engine and no XML file can hold with U+FFFD.

    Example:
        >>> clean_text("loss\\x1b[0m") == "loss\\ufffd[0m"
        True
    """
    return _NOT_TEXT.sub("\ufffd", text) if _NOT_TEXT.search(text) else text


def clean_iri(text: str) -> str:
    """Make a foreign identifier a valid absolute IRI, unchanged where it is one already.

    Example:
        >>> clean_iri("http://example.org/a b")
        'http://example.org/a%20b'
        >>> clean_iri("trial")
        'urn:provchain:relative/trial'
    """
    kept = _kept(text)
    if kept < 0:
        return f"{_SCHEME}relative/{_encode(text)}"
    head, mark, fragment = text[kept:].partition("#")
    rest = f"{_escape(head)}{mark}{_escape(fragment).replace('#', '%23')}"
    return text[:kept] + rest


def _escape(text: str) -> str:
    return _NOT_IRI.sub(lambda bad: quote(bad[0].encode("utf-8", "surrogatepass"), safe=""), text)


def _kept(text: str) -> int:
    """How much of an absolute IRI stays as it is: an IPv6 host in its brackets; -1 where engines refuse what is there."""
    scheme = _ABSOLUTE.match(text)
    if scheme is None:
        return -1
    if not text.startswith("//", scheme.end()):
        return 0
    behind = text[scheme.end() + 2 :]
    found = _AUTHORITY.fullmatch(re.split("[/?#]", behind, maxsplit=1)[0])
    if found is None:
        return -1
    if found["ip"] is None:
        return 0
    try:
        valid = ip_address(found["ip"]).version == 6 and not _NOT_IRI.search(found["user"] or "")
    except ValueError:
        return -1
    return scheme.end() + 2 + found.end() if valid else -1
