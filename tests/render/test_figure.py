"""The figure of a chain: safe whatever its labels hold, readable at a column's width, the same bytes every time."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provchain.errors import ProvchainError
from provchain.model import Chain, ChainEdge, ChainNode, Claim, ClaimKind, Judgement, Verdict
from provchain.render.figure import chain_dot, chain_png, chain_svg, chain_text

SVG = "{http://www.w3.org/2000/svg}"
Named = tuple[str, Chain]
Make = Callable[[str], Chain]
Golden = Callable[[str, str], None]


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def words(svg: str) -> str:
    return " ".join(" ".join(texts(svg)).split())


def test_dot_is_as_accepted(named_chain: Named, golden: Golden) -> None:
    name, chain = named_chain
    golden(f"{name}.dot", chain_dot(chain))


def test_svg_holds_only_shapes_and_text(named_chain: Named) -> None:
    svg = chain_svg(named_chain[1])
    root = ElementTree.fromstring(svg)
    allowed = {"svg", "g", "title", "desc", "text", "polygon", "polyline", "ellipse", "path"}
    assert {element.tag for element in root.iter()} <= {SVG + tag for tag in allowed}
    attributes = [name for element in root.iter() for name in element.attrib]
    assert not [name for name in attributes if name.startswith("on") or "href" in name or name in ("style", "src")]
    assert "<!DOCTYPE" not in svg
    assert "<!--" not in svg


def test_svg_has_alternative_text(make_chain: Make) -> None:
    root = ElementTree.fromstring(chain_svg(make_chain("synthetic")))
    assert [root[0].tag, root[1].tag] == [f"{SVG}title", f"{SVG}desc"]
    assert "0.7279" in (root[1].text or "")
    assert "breaks at 87.1: simulate_results.py reads no data" in (root[1].text or "")
    assert root.get("role") == "img"
    assert {root[0].get("id"), root[1].get("id")} == set((root.get("aria-labelledby") or "").split())


def test_text_is_readable_at_a_columns_width(named_chain: Named) -> None:
    svg = chain_svg(named_chain[1], width_mm=84)
    root = ElementTree.fromstring(svg)
    assert float(root.attrib["width"].removesuffix("pt")) <= 84 / 25.4 * 72 + 1
    scale = float(re.search(r"scale\(([0-9.]+)", svg)[1])  # type: ignore[index]
    sizes = [float(element.attrib["font-size"]) for element in root.iter(f"{SVG}text")]
    assert min(sizes) * scale >= 6.0


def test_same_chain_same_bytes(named_chain: Named) -> None:
    chain = named_chain[1]
    assert chain_dot(chain) == chain_dot(chain)
    assert chain_svg(chain) == chain_svg(chain)
    assert chain_png(chain, dpi=72) == chain_png(chain, dpi=72)


def test_the_break_is_dashed_and_thick_and_says_why(make_chain: Make) -> None:
    svg = chain_svg(make_chain("failed"))
    links = [path for path in ElementTree.fromstring(svg).iter(f"{SVG}path") if path.get("fill") == "none"]
    dashed = [path for path in links if path.get("stroke-dasharray", "1,5") != "1,5"]  # dotted: to the verdict
    assert len(dashed) == 1
    assert float(dashed[0].attrib["stroke-width"]) >= 2
    assert "BREAK: the execution failed: CUDA out of memory" in words(svg)
    assert "NOT SUPPORTED not-completed" in words(svg)
    assert "execution: FAILED" in words(svg)


def test_a_chain_that_holds_shows_no_break(make_chain: Make) -> None:
    svg = chain_svg(make_chain("holds"))
    assert "BREAK" not in svg
    assert "#999999" not in svg
    assert "SUPPORTED rests on a completed execution" in words(svg)


def test_what_lies_beyond_the_break_is_pale(make_chain: Make) -> None:
    dot = chain_dot(make_chain("synthetic"))
    pale = [line for line in dot.splitlines() if "#999999" in line and "->" not in line]
    assert len(pale) == 3  # the script, its authoring, the agent; not the execution at which it breaks
    assert not [line for line in pale if "COMPLETED" in line]


def test_shapes_follow_prov(make_chain: Make) -> None:
    dot = chain_dot(make_chain("holds"))
    assert [dot.count(f"shape={shape}") for shape in ("ellipse", "box", "house")] == [6, 1, 1]


def test_like_things_are_folded(make_chain: Make) -> None:
    assert "12 modules" in words(chain_svg(make_chain("failed")))
    assert "… and 10 more" in words(chain_svg(make_chain("failed")))
    assert "4 failed attempts, such as" in words(chain_svg(make_chain("substitute")))
    seeds = words(chain_svg(make_chain("seeds")))
    assert "4 values, such as" in seeds
    assert "execution: ABORTED python run.py --seed 3" in seeds  # the one that breaks is never folded away


def test_a_claim_without_source_points_at_nothing(make_chain: Make) -> None:
    shown = words(chain_svg(make_chain("nothing")))
    assert "BREAK: no value on record rounds to 0.7279" in shown
    assert "nothing on record" in shown


def test_a_long_chain_keeps_both_its_ends(make_chain: Make) -> None:
    shown = words(chain_svg(make_chain("long")))
    assert "copy 0" in shown
    assert "BREAK: altered" in shown
    assert "things not drawn" in shown


def test_hostile_labels_stay_labels(make_chain: Make) -> None:
    dot = chain_dot(make_chain("hostile"))
    assert all(ord(char) >= 32 or char == "\n" for char in dot)
    assert "\u202e" not in dot
    for line in dot.splitlines()[1:-1]:
        assert re.fullmatch(r'(?:[^"\\]|"(?:[^"\\]|\\.)*")*[;{}]?', line), line
    shown = "".join(texts(chain_svg(make_chain("hostile")))).replace("\u00a0", " ")
    assert '"];\\input{/etc/' in shown
    assert "<script" in shown  # as text
    assert "&amp;&lt;" in shown  # no entity is resolved
    assert "http://x/?a=b&c=d" in shown


def test_png_has_resolution_and_description(make_chain: Make) -> None:
    chain = make_chain("synthetic")
    png = chain_png(chain, dpi=150)
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    chunks, at = [], 8
    while at < len(png):
        size = struct.unpack(">I", png[at : at + 4])[0]
        body = png[at + 4 : at + 8 + size]
        assert struct.unpack(">I", png[at + 8 + size : at + 12 + size])[0] == zlib.crc32(body)
        chunks.append(body)
        at += size + 12
    assert [chunk[:4] for chunk in chunks].count(b"pHYs") == 1
    assert struct.unpack(">II", next(chunk[4:12] for chunk in chunks if chunk[:4] == b"pHYs")) == (5906, 5906)
    assert chain_text(chain).encode() in next(chunk for chunk in chunks if chunk[:4] == b"iTXt")
    width = struct.unpack(">I", chunks[0][4:8])[0]
    assert width <= 84 / 25.4 * 150 + 2


def test_an_unknown_engine_is_an_error_with_a_hint(make_chain: Make) -> None:
    with pytest.raises(ProvchainError) as caught:
        chain_svg(make_chain("holds"), engine="neato; rm -rf /")
    assert "graphviz-pure" in caught.value.hint


names = st.text(st.characters(), max_size=12)
keys = st.sampled_from(["c1", "a", "b:c", '"', "node", "\ud800", ""])
nodes = st.builds(
    ChainNode,
    id=keys,
    type=st.sampled_from(["entity", "activity", "agent", "?"]),
    kind=names,
    label=names,
    details=st.lists(names, max_size=3).map(tuple),
    status=names,
    external=st.booleans(),
)
links = st.builds(ChainEdge, keys, keys, names, st.booleans(), names)


@settings(max_examples=40, deadline=None)
@given(st.lists(nodes, max_size=7), st.lists(links, max_size=10), st.sampled_from(list(Verdict)), names)
def test_any_chain_can_be_drawn(made: list[ChainNode], edges: list[ChainEdge], verdict: Verdict, written: str) -> None:
    claim = Claim("c1", ClaimKind.NUMBER, written, 1, 1, written, written, row=written)
    chain = Chain(claim, Judgement("c1", verdict), tuple(made), tuple(edges))
    root = ElementTree.fromstring(chain_svg(chain))
    drawn = [group for group in root.iter(f"{SVG}g") if group.get("class") == "node"]
    assert len(drawn) >= 2  # the claim and its verdict are always there
