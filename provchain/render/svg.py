"""An SVG drawing made safe and accessible: parsed, stripped to shapes and text, given a title and a description."""

from __future__ import annotations

import re
from xml.etree import ElementTree

__all__ = ["accessible_svg", "drawing_scale"]

_SVG = "http://www.w3.org/2000/svg"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_SHAPES = frozenset({"svg", "g", "title", "desc", "text", "polygon", "polyline", "ellipse", "path"})
# Arimo, Liberation Sans and Arial are as wide as Helvetica: whichever of them is there, the text fits its shape.
_FONTS = "Helvetica, Arial, Arimo, 'Liberation Sans', sans-serif"
_SCALE = re.compile(rb'transform="scale\(([0-9.]+)')


def drawing_scale(svg: bytes) -> float:
    """Read how much the layout program shrank a drawing to fit: 1.0 is not at all.

    Example:
        >>> drawing_scale(b'<g transform="scale(0.8 0.8) rotate(0)">')
        0.8
    """
    found = _SCALE.search(svg)
    return float(found[1]) if found else 1.0


def accessible_svg(svg: bytes, *, title: str, description: str, titles: dict[str, str]) -> str:
    """Rewrite a drawing: only shapes and text, no document type, no link, with alternative text.

    Args:
        svg: What the layout program drew.
        title: The figure's title.
        description: The figure's description.
        titles: What to call each thing, by its name in the graph.

    Returns:
        An XML document that ends with a line end.
    """
    root = ElementTree.fromstring(svg)  # noqa: S314 -- written by the layout program; labels are escaped text in it
    _strip(root)
    for group in root.iter(f"{{{_SVG}}}g"):
        head = group.find(f"{{{_SVG}}}title")
        if head is not None:
            named = titles.get(head.text or "")
            if named:
                head.text = named
            else:
                group.remove(head)  # the names of links and of the graph say nothing to a reader
    for number, (tag, text) in enumerate((("title", title), ("desc", description))):
        element = ElementTree.Element(f"{{{_SVG}}}{tag}", {"id": f"chain-{tag}"})
        element.text = text
        root.insert(number, element)
    root.set("role", "img")
    root.set("aria-labelledby", "chain-title chain-desc")
    ElementTree.register_namespace("", _SVG)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _strip(root: ElementTree.Element) -> None:
    """Take out every element but shapes and text, and every attribute that could fetch or run something."""
    stack = [root]
    while stack:
        element = stack.pop()
        for child in list(element):
            tag = child.tag if isinstance(child.tag, str) else ""
            if tag.removeprefix(f"{{{_SVG}}}") in _SHAPES:
                stack.append(child)
            else:
                element.remove(child)
        for name in list(element.attrib):
            if (name.startswith("{") and name != _SPACE) or name.startswith("on") or "href" in name:
                del element.attrib[name]
        if "font-family" in element.attrib:
            if "Bold" in element.attrib["font-family"]:
                element.set("font-weight", "bold")
            element.set("font-family", _FONTS)
