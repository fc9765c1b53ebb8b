"""The figure of one claim: its chain in W3C PROV's shapes, from the claim at the top down to what it rests on.

Shape, dash and label carry the meaning, so that a greyscale print and a colour-blind reader lose nothing: an entity is
an ellipse, an activity a box, an agent a house; a broken link is thick, dashed and says why; what lies beyond is pale.
All labels are hostile until cleaned, and nothing that they say reaches the layout program as anything but quoted text.

Spec: https://www.w3.org/2011/prov/wiki/Diagrams (layout conventions)
"""

from __future__ import annotations

import hashlib
import re
import struct
import zlib
from dataclasses import dataclass
from typing import Any

from provchain.model import Chain, ChainEdge, Outcome
from provchain.render.engine import draw
from provchain.render.labels import display_width, shorten, shorten_middle, visible, wrap
from provchain.render.slice import NOTHING, Drawn, Slice, plural, ranks, slice_chain
from provchain.render.svg import accessible_svg, drawing_scale
from provchain.render.words import OUTCOME_WORDS, VERDICT_WORDS

__all__ = ["chain_dot", "chain_png", "chain_svg", "chain_text"]

_FONT_PT = 7.0
_EDGE_FONT_PT = 6.5
_MOST = (30, 14, 8)  # things drawn: fewer where not even narrow labels make it readable
_LEAST_PT = 6.0  # what a reader can still read in a printed column
_MM_PER_INCH = 25.4
_BROKEN = "#B00020"
_PALE_LINE, _PALE_TEXT = "#999999", "#666666"  # 5.7 : 1 on white, so still readable

# PROV type -> (shape, fill, pale fill)
_SHAPES = {
    "entity": ("ellipse", "#FFFC87", "#FFFEE6"),
    "activity": ("box", "#9FB1FC", "#EBEFFE"),
    "agent": ("house", "#FED37F", "#FFF5E3"),
}


@dataclass(frozen=True)
class _Layout:
    """How wide labels are and how many things may stand side by side."""

    wrap: int
    per_row: int


# From roomy to narrow: the first that keeps the text readable at the asked width is taken.
_LAYOUTS = (
    *(_Layout(wide, row) for row, wide in ((3, 28), (2, 28), (2, 24), (2, 20), (1, 28), (1, 24), (1, 20), (1, 17))),
)


def chain_dot(chain: Chain, *, width_mm: float = 84, engine: str = "graphviz-pure") -> str:
    """Write a claim's chain as a DOT graph that is readable at a column's width.

    Args:
        chain: The chain.
        width_mm: The width that the figure will have. The default is a column of a two-column paper.
        engine: The program that will lay it out: which labels and rows fit is tried with it.

    Returns:
        The graph, the same text for the same chain.

    Raises:
        ProvchainError: The layout program is not installed or fails.
    """
    return _fit(chain, width_mm, engine)[0]


def chain_svg(chain: Chain, *, width_mm: float = 84, engine: str = "graphviz-pure") -> str:
    """Draw a claim's chain as SVG: no script, no link, with alternative text.

    Args:
        chain: The chain.
        width_mm: The width that the figure will have at most.
        engine: ``"graphviz-pure"``, or ``"dot"`` for the Graphviz of the system.

    Returns:
        An XML document, the same text for the same chain.

    Raises:
        ProvchainError: The layout program is not installed or fails.

    Example:
        >>> from provchain.model import Claim, ClaimKind, Judgement, Verdict
        >>> claim = Claim("c1", ClaimKind.NUMBER, "paper.md", 3, 1, "0.91", "accuracy 0.91")
        >>> svg = chain_svg(Chain(claim, Judgement("c1", Verdict.NO_SOURCE), (), ()))
        >>> "nothing on record" in svg
        True
    """
    _, raw, piece = _fit(chain, width_mm, engine)
    titles = {_node_id(key): "; ".join(_full_label(drawn)) for key, drawn in piece.drawn.items()}
    return accessible_svg(raw, title=_title(chain), description=chain_text(chain), titles=titles)


def chain_png(chain: Chain, *, dpi: int = 300, width_mm: float = 84, engine: str = "graphviz-pure") -> bytes:
    """Draw a claim's chain as PNG, with its description and resolution inside.

    Args:
        chain: The chain.
        dpi: Pixels an inch.
        width_mm: The width that the figure will have at most.
        engine: ``"graphviz-pure"``, or ``"dot"`` for the Graphviz of the system.

    Returns:
        A PNG file, the same bytes for the same chain.

    Raises:
        ProvchainError: The layout program is not installed or fails, or ``dpi`` is no resolution.
    """
    dot, _, _ = _fit(chain, width_mm, engine)
    return _with_description(draw(dot, "png", engine=engine, dpi=max(36, min(dpi, 1200))), chain_text(chain), dpi)


def chain_text(chain: Chain) -> str:
    """Say in one or two sentences what the figure shows: its alternative text.

    Args:
        chain: The chain.

    Returns:
        Plain text without control characters.

    Example:
        >>> from provchain.model import Claim, ClaimKind, Judgement, Verdict
        >>> claim = Claim("c1", ClaimKind.NUMBER, "paper.md", 3, 1, "0.91", "accuracy 0.91")
        >>> chain_text(Chain(claim, Judgement("c1", Verdict.NO_SOURCE), (), ()))
        'The claim 0.91 at paper.md:3:1 is not supported: no-source (nothing on record produced it).'
    """
    claim, judgement = chain.claim, chain.judgement
    place = visible(f"{claim.path}:{claim.line}:{claim.column}")
    outcome = OUTCOME_WORDS[judgement.outcome].lower()
    text = f"The claim {shorten(visible(claim.written), 60)} at {place} is {outcome}: {judgement.verdict} "
    text += f"({VERDICT_WORDS[judgement.verdict]})."
    if judgement.broken is not None:
        text += f" Its chain breaks at {shorten(visible(judgement.broken.at), 120)}: "
        text += shorten(visible(judgement.broken.why), 300) + "."
    return text


# ----------------------------------------------------------------------------------------------------- the layout


def _fit(chain: Chain, width_mm: float, engine: str) -> tuple[str, bytes, Slice]:
    """The first layout that is readable at the width, else the most readable one."""
    if not 10 <= width_mm <= 2000:
        width_mm = 84
    best: tuple[float, str, bytes, Slice] | None = None
    for most in _MOST:
        piece = slice_chain(chain, most=most)
        for layout in _LAYOUTS:
            dot = _graph(chain, piece, layout, width_mm)
            raw = draw(dot, "svg", engine=engine)
            scale = drawing_scale(raw)
            if best is None or scale > best[0]:
                best = (scale, dot, raw, piece)
            if scale * _EDGE_FONT_PT >= _LEAST_PT:
                return dot, raw, piece
    if best is None:  # pragma: no cover -- there is always a layout
        raise AssertionError
    return best[1:]


def _graph(chain: Chain, piece: Slice, layout: _Layout, width_mm: float) -> str:
    import pydot  # noqa: PLC0415 -- slow to import, and only a figure needs it

    inches = width_mm / _MM_PER_INCH
    graph = pydot.Dot(
        "chain", graph_type="digraph", rankdir="TB", size=_quote(f"{inches:.3f},1000"), bgcolor="white",
        nodesep="0.06", ranksep="0.16", margin="0", pad="0.02", splines="true", fontname="Helvetica",
        fontsize=str(_EDGE_FONT_PT), labelloc="b", labeljust="l", label=_label(_legend(piece), left=True),
    )  # fmt: skip
    graph.set_node_defaults(
        fontname="Helvetica", fontsize=str(_FONT_PT), margin=_quote("0.05,0.03"), width="0.3", height="0.2"
    )
    graph.set_edge_defaults(fontname="Helvetica", fontsize=str(_EDGE_FONT_PT), arrowsize="0.55")
    for key, drawn in piece.drawn.items():
        lines = _claim_lines(chain, drawn, layout.wrap) if key == piece.claim else _node_lines(drawn, layout.wrap)
        graph.add_node(pydot.Node(_node_id(key), **_node_style(piece, key, drawn, lines)))
    _add_verdict(graph, chain, piece)
    rows = ranks(piece, layout.per_row)
    onward = {edge.source for edge in piece.edges}
    for edge in piece.edges:
        steps = rows[edge.target] - rows[edge.source]
        style = _edge_style(piece, edge, layout.wrap) | (
            {"minlen": str(steps)} if steps > 0 else {"constraint": "false"}
        )
        if edge.target in onward:
            style["weight"] = "4"  # the way down stays straight
        graph.add_edge(pydot.Edge(_node_id(edge.source), _node_id(edge.target), **style))
    return str(graph.to_string())


def _node_id(key: str) -> str:
    """A name that no label can reach: ``sha256:abc`` would name a port."""
    return "n" + hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _quote(text: str) -> str:
    r"""Quote cleaned text for DOT: no escape (``\N``, ``\l``), no entity (``&lt;``), no end of the string survives."""
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
    return f'"{text}"'


def _label(lines: list[str], *, left: bool = False) -> str:
    end = "\\l" if left else "\\n"
    return '"' + end.join(_quote(line)[1:-1] for line in lines) + (end if left else "") + '"'


def _edge_label(lines: list[str]) -> str:
    # The layout program leaves no room beside the line, nor before the next one.
    return _label([f"  {line}   " for line in lines], left=True)


# ----------------------------------------------------------------------------------------------------- the labels


def _lines(text: str, width: int, most: int) -> list[str]:
    """A cleaned text in at most so many lines: of a path its middle goes, of anything else its end."""
    text = visible(text).strip()
    if not text:
        return []
    if " " not in text and ("/" in text or "." in text[1:]) and display_width(text) > width:
        folder, slash, name = text.rpartition("/")
        if most == 1 or not folder:
            return [shorten_middle(text, width)]
        return [shorten_middle(folder + slash, width), shorten_middle(name, width)]
    return wrap(text, width, most)


def _add_verdict(graph: Any, chain: Chain, piece: Slice) -> None:
    """Write the verdict at the claim, as PROV's drawings write what is said of a thing: a note on a dotted line."""
    import pydot  # noqa: PLC0415

    judgement = chain.judgement
    lines = [OUTCOME_WORDS[judgement.outcome], str(judgement.verdict)]
    lines = [*(lines if lines[0].lower() != lines[1] else lines[:1]), *wrap(VERDICT_WORDS[judgement.verdict], 36, 2)]
    if not any(edge.broken for edge in piece.edges) and judgement.outcome is not Outcome.PASSED:
        why = judgement.broken.why if judgement.broken else judgement.note
        lines += _lines(why, 36, 3)
    failed, sure = judgement.outcome is Outcome.FAILED, judgement.outcome in (Outcome.FAILED, Outcome.PASSED)
    graph.add_node(
        pydot.Node(
            "verdict", label=_label(lines), shape="note", fillcolor="white", penwidth="1.6",
            style="filled" if sure else _quote("filled,dashed"),
            fontname=_quote("Helvetica-Bold"), width=f"{_least_width(lines) + 0.1:.2f}",
            color=_quote(_BROKEN) if failed else "black",
        )
    )  # fmt: skip
    graph.add_edge(
        pydot.Edge("verdict", _node_id(piece.claim), style="dotted", arrowhead="none", penwidth="1.2", weight="4")
    )


def _claim_lines(chain: Chain, drawn: Drawn, width: int) -> list[str]:
    claim = chain.claim
    inner = max(width - 4, 24)  # it stands alone in its row
    lines = _lines(f"claim: {visible(claim.written or drawn.node.label)}", inner, 2)
    labels = [part for part in (visible(claim.row or "").strip(), visible(claim.header or "").strip()) if part]
    joined = " · ".join(labels)
    lines += [joined] if joined and display_width(joined) <= inner else [shorten(part, inner) for part in labels]
    return [*lines, shorten_middle(visible(f"{claim.path}:{claim.line}"), inner)]


def _node_lines(drawn: Drawn, width: int) -> list[str]:
    node = drawn.node
    if node.type == "entity":
        width = max(width - 3, 17)  # an ellipse is wider than its text
    elif node.type == "agent":
        width = max(width - 8, 12)  # so is a house
    if drawn.names:
        more = [f"… and {drawn.count - 2} more"] if drawn.count > 2 else []
        return [plural(drawn), *(shorten_middle(visible(name), width) for name in drawn.names[:2]), *more]
    head = f"external {visible(node.kind)}" if node.external else visible(node.kind)
    if drawn.count > 1:
        head = f"{plural(drawn)}, such as"
    elif node.status:
        head = f"{head}: {visible(node.status).upper()}"
    lines = _lines(head, width, 2) + _lines(node.label, width, 3)
    for detail in node.details[:3]:
        lines += _lines(detail, width, 2 if " " in detail else 1)
    return lines or ["(no name)"]


def _full_label(drawn: Drawn) -> list[str]:
    """What a pointer on the thing shows: everything, within reason."""
    node = drawn.node
    names = drawn.names[:50] if drawn.names else (node.label, *node.details[:20])
    return [shorten(visible(text), 500) for text in (f"{node.kind} {node.status}".strip(), *names) if text]


def _legend(piece: Slice) -> list[str]:
    lines = ["Arrows point to what a thing rests on."]
    if any(edge.broken for edge in piece.edges):
        lines.append("Thick, dashed: the chain breaks here.")
    if any(not drawn.supports and not drawn.culprit for drawn in piece.drawn.values()):
        lines.append("Pale: on record, but does not support the claim.")
    if piece.missing:
        lines.append(f"{piece.missing} further things are not drawn.")
    return lines


def _title(chain: Chain) -> str:
    return f"Chain of the claim {shorten(visible(chain.claim.written), 60)}: {chain.judgement.verdict}"


# ----------------------------------------------------------------------------------------------------- the styles


def _node_style(piece: Slice, key: str, drawn: Drawn, lines: list[str]) -> dict[str, Any]:
    shape, fill, pale = _SHAPES.get(drawn.node.type, _SHAPES["entity"])
    style: dict[str, Any] = {
        "label": _label(lines),
        "shape": shape,
        "style": "filled",
        "fillcolor": _quote(fill),
        "penwidth": "0.8",
    }
    if shape == "box":
        style["margin"] = _quote("0.09,0.03")  # room for a viewer whose font is wider than Helvetica
    if key == piece.claim:
        style |= {"fontname": _quote("Helvetica-Bold"), "penwidth": "1.6"}
    elif drawn.culprit:
        style |= {"color": _quote(_BROKEN), "penwidth": "1.6", "style": _quote("filled,dashed")}
    elif not drawn.supports:
        style |= {"fillcolor": _quote(pale), "color": _quote(_PALE_LINE), "fontcolor": _quote(_PALE_TEXT)}
        if drawn.node.status and drawn.node.status != "completed":
            style["style"] = _quote("filled,dashed")
    if key == NOTHING:
        style["fillcolor"] = "white"
    if key == piece.claim or not all(line.isascii() for line in lines):
        style["width"] = f"{_least_width(lines) * (1.15 if shape == 'ellipse' else 1):.2f}"
    return style


def _least_width(lines: list[str]) -> float:
    """Inches that bold or foreign lines need: the layout program has metrics for neither."""
    ems = (sum(_ems(char) for char in line) for line in lines)
    return max(ems, default=0.0) * _FONT_PT / 72 + 0.12


def _ems(char: str) -> float:
    """Width of a bold letter, about."""
    if not char.isascii():
        return 1.0 if display_width(char) == 2 else 0.62
    if char in " .,:;!|'/()[]{}-ijlftI":
        return 0.34
    return 0.9 if char in "mwMW@%" else 0.74 if char.isupper() else 0.6


def _relation_lines(name: str) -> list[str]:
    """A PROV term, broken before its last words where it is long: ``wasAssociated`` / ``With``."""
    if len(name) <= 14:
        return [name]
    humps = [found.start() for found in re.finditer(r"(?<=[a-z])[A-Z]", name)]
    cut = next((at for at in humps if at >= len(name) // 2), 0)
    return [name[:cut], name[cut:]] if cut else wrap(name, 18, 2)


def _edge_style(piece: Slice, edge: ChainEdge, width: int) -> dict[str, Any]:
    name = shorten(visible(edge.relation), 40)
    if edge.broken:
        why = _lines(f"BREAK: {edge.why}" if edge.why else "BREAK", max(width - 2, 18), 4)
        return {
            "label": _edge_label(why), "color": _quote(_BROKEN), "fontcolor": _quote(_BROKEN), "style": "dashed",
            "penwidth": "2", "arrowhead": "teenormal", "fontsize": str(_FONT_PT),
        }  # fmt: skip
    style: dict[str, Any] = {"label": _edge_label(_relation_lines(name)), "penwidth": "0.8"}
    if not piece.drawn[edge.source].supports:
        style |= {"color": _quote(_PALE_LINE), "fontcolor": _quote(_PALE_TEXT)}
    if name.startswith("…"):
        style["style"] = "dotted"
    return style


# -------------------------------------------------------------------------------------------------------- the PNG


def _with_description(png: bytes, text: str, dpi: int) -> bytes:
    """Put a description and the resolution into a PNG, right after its header, in place of what stood there."""
    header_end = 8 + 25  # signature, then the IHDR chunk of fixed length
    body = re.sub(rb"\A\x00\x00\x00\x09pHYs.{13}", b"", png[header_end:], flags=re.DOTALL)
    note = b"Description\x00\x00\x00\x00\x00" + text.encode()
    per_metre = round(dpi / _MM_PER_INCH * 1000)
    return (
        png[:header_end] + _chunk(b"pHYs", struct.pack(">IIB", per_metre, per_metre, 1)) + _chunk(b"iTXt", note) + body
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
