"""What a query text would do, told without running it: its form, and whether it would leave this machine.

Oxigraph follows ``SERVICE`` to any address, and the queries of strangers are run here. So the text is read with
strings, IRIs and comments taken out, once as it stands and once with its ``\\uXXXX`` escapes resolved.

Spec: https://www.w3.org/TR/sparql11-query/#sparqlGrammar
"""

from __future__ import annotations

import re

# In the order in which SPARQL's tokens are told apart: the first that fits at a place is the token.
_TOKEN = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"""'
    r"|'''(?:[^'\\]|\\.|'(?!''))*'''"
    r'|"(?:[^"\\\n\r]|\\.)*"'
    r"|'(?:[^'\\\n\r]|\\.)*'"
    r'|(?P<iri><[^<>"{}|^`\\\x00-\x20]*>)'
    r"|(?P<comment>#[^\n\r]*)"
    r"|\\.",  # an escape inside a local name: the character after it starts neither comment nor string
    re.DOTALL,
)
# No word boundary before SERVICE: "5SERVICE" and "trueSERVICE" are two tokens. The brace keeps ex:service usable.
_SERVICE = re.compile(r"service\s*(?:silent\s*)?(?:<>|[?$]\w+|[\w.-]*:[^\s{}<>]*)\s*\{", re.IGNORECASE)
_PROLOGUE = re.compile(r"\s*(?:base\s*<>|prefix\s+[^\s<>]*:\s*<>)", re.IGNORECASE)
_WORD = re.compile(r"\s*([A-Za-z]+)")
_BRACKET = re.compile(r"[{}()\[\]]")
_LONGEST = 10_000
_DEEPEST = 200
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")


def _bare(text: str) -> str:
    def shorten(token: re.Match[str]) -> str:
        return "<>" if token["iri"] else " " if token["comment"] else '""'

    return _TOKEN.sub(shorten, text)


def _resolve_escapes(text: str) -> str:
    def character(escape: re.Match[str]) -> str:
        code = int(escape[1] or escape[2], 16)
        return chr(code) if code <= 0x10FFFF else escape[0]

    return _ESCAPE.sub(character, text)


def reaches_network(text: str) -> bool:
    """Tell whether a query asks another endpoint; where in doubt it does.

    Example:
        >>> reaches_network("SELECT * { SERVICE <http://example.org/> { ?s ?p ?o } }")
        True
        >>> reaches_network('SELECT * { ?service <urn:x> "SERVICE <x> {" }')
        False
    """
    resolved = _resolve_escapes(text)
    return any(_SERVICE.search(_bare(form)) for form in {text, resolved})


def is_overlong(text: str) -> bool:
    """Tell whether a query is so long or so deeply nested that the engine's parser would end the whole process.

    Measured: Oxigraph 0.5 overflows its stack at 1,000 to 5,000 nested brackets and at chains of 15,000 operators.

    Example:
        >>> is_overlong("SELECT * {" + "{" * 300 + "}" * 301)
        True
    """
    bare, depth = _bare(text), 0
    if len(bare) > _LONGEST:
        return True
    for bracket in _BRACKET.findall(bare):
        depth += 1 if bracket in "{([" else -1
        if depth > _DEEPEST:
            return True
    return False


def query_form(text: str) -> str:
    """Tell the form of a query: ``"SELECT"``, ``"ASK"``, ``"INSERT"`` ... or an empty text.

    Example:
        >>> query_form("# SELECT\\nPREFIX x: <urn:x:> ask { ?s ?p ?o }")
        'ASK'
    """
    bare, position = _bare(text), 0
    while prologue := _PROLOGUE.match(bare, position):
        position = prologue.end()
    word = _WORD.match(bare, position)
    return word[1].upper() if word else ""
