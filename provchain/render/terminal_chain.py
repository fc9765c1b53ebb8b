"""A chain as an indented tree."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from provchain.model import Chain, ChainEdge, Outcome
from provchain.render.labels import visible
from provchain.render.slice import NOTHING, Drawn, Slice, plural, slice_chain
from provchain.render.terminal_text import OUTCOME_STYLES, foreign, has_unicode, symbol
from provchain.render.words import OUTCOME_WORDS, VERDICT_WORDS

__all__ = ["print_chain"]

_MOST = 60
_DEEPEST = 12  # levels that still move to the right: a deeper chain goes on below itself


def print_chain(chain: Chain, console: Console) -> None:
    """Print what a claim rests on as an indented tree, with the broken link marked.

    Args:
        chain: The chain.
        console: Where to print.
    """
    judgement, claim = chain.judgement, chain.claim
    style = OUTCOME_STYLES[judgement.outcome]
    head = foreign(f"{symbol(judgement.outcome, console)} {OUTCOME_WORDS[judgement.outcome]}", console, style=style)
    head.append_text(foreign(f": {judgement.verdict} ({VERDICT_WORDS[judgement.verdict]})", console))
    console.print(head)
    place = foreign(f"  {claim.path}:{claim.line}:{claim.column}  ", console, style="cyan")
    console.print(place.append_text(foreign(claim.text or claim.written, console, most=300)), overflow="fold")
    if judgement.broken is not None:
        console.print(foreign(f"  {visible(judgement.broken.why)}", console, most=400))
    if judgement.note:
        console.print(foreign(f"  {judgement.note}", console, most=400))
    console.print()
    _Tree(chain, console).print()


class _Tree:
    """Prints a slice of a chain depth first, each thing once."""

    def __init__(self, chain: Chain, console: Console) -> None:
        self.console = console
        self.chain = chain
        self.piece: Slice = slice_chain(chain, most=_MOST)
        self.out = self.piece.children()
        self.shown: set[str] = set()
        self.guides = ("│  ", "├─ ", "└─ ", "   ") if has_unicode(console) else ("|  ", "|- ", "`- ", "   ")

    def print(self) -> None:
        """Print the tree of the claim, then what stands beside it."""
        self._branch(self.piece.claim)
        pointed = {edge.target for edge in self.piece.edges}
        rest = [key for key in self.piece.drawn if key not in self.shown and key not in pointed]
        if rest:
            self.console.print()
            self.console.print(foreign("beside the chain, on record:", self.console, style="dim"))
        for key in rest:
            self._branch(key)
        if self.piece.missing:
            self.console.print(foreign(f"… and {self.piece.missing} further things", self.console, style="dim"))

    def _branch(self, start: str) -> None:
        """Iterative: a chain can be thousands of links long."""
        stack: list[tuple[ChainEdge | None, str, str, bool]] = [(None, start, "", True)]
        while stack:
            edge, key, before, last = stack.pop()
            again = key in self.shown
            self._line(edge, key, before, last=last, again=again)
            if again:
                continue
            self.shown.add(key)
            below = before if edge is None else before + (self.guides[3] if last else self.guides[0])
            if len(below) > _DEEPEST * 3:
                below = below[: _DEEPEST * 3]
            edges = self.out.get(key, [])
            stack.extend((each, each.target, below, each is edges[-1]) for each in reversed(edges))

    def _line(self, edge: ChainEdge | None, key: str, before: str, *, last: bool, again: bool) -> None:
        drawn = self.piece.drawn[key]
        text = Text()
        if edge is not None and edge.broken:
            mark = symbol(Outcome.FAILED, self.console)
            why = f" {visible(edge.why)}" if edge.why else ""
            broken = foreign(f"{mark} BREAK:{why}", self.console, style="bold red", most=300)
            self._wrapped(broken, before + (self.guides[0]), before + self.guides[0])
        if edge is not None:
            text.append_text(foreign(f"{edge.relation} ", self.console, style="dim", most=40))
        text.append_text(self._named(drawn, claim=key == self.piece.claim))
        if again:
            text.append(" (see above)", style="dim")
        first = "" if edge is None else before + (self.guides[2] if last else self.guides[1])
        self._wrapped(text, first, before + ("" if edge is None else self.guides[3] if last else self.guides[0]))

    def _named(self, drawn: Drawn, *, claim: bool) -> Text:
        node, console = drawn.node, self.console
        dim = "" if drawn.supports or drawn.culprit or claim else "dim"
        if drawn.node.id == NOTHING:
            return foreign(node.label, console, style="bold")
        kind = f"external {node.kind}" if node.external else node.kind
        if drawn.count > 1:
            kind = plural(drawn) + ("" if drawn.names else ", such as")
        text = foreign(kind, console, style=dim or "bold", most=60)
        if node.status:
            good = node.status == "completed"
            text.append_text(foreign(f" [{node.status}]", console, style="green" if good else "red"))
        if drawn.names:
            shown = ", ".join(visible(name)[:80] for name in drawn.names[:3])
            text.append_text(foreign(f" {shown}{', …' if drawn.count > 3 else ''}", console, style=dim))
            return text
        text.append_text(foreign(f" {visible(node.label)}", console, style=dim, most=200))
        details = " · ".join(visible(detail)[:120] for detail in node.details[:3])
        if details:
            text.append_text(foreign(f" ({details})", console, style="dim"))
        return text

    def _wrapped(self, text: Text, first: str, later: str) -> None:
        """Print a text whose further lines keep the guides of its level."""
        room = max(self.console.width - len(first), 16)
        for number, line in enumerate(text.wrap(self.console, room, overflow="fold")):
            self.console.print(Text(first if not number else later, style="dim").append_text(line), soft_wrap=True)
