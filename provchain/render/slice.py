"""What of a chain is drawn: like things folded, the break kept, everything given a place and a weight.

A claim can rest on fifty runs of one script. A reader sees one of them, and how many are like it. The break and its way
from the claim are never folded away.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field

from provchain.model import Chain, ChainEdge, ChainNode, Outcome

__all__ = ["Drawn", "Slice", "plural", "ranks", "slice_chain"]

_FOLD_AT = 3  # so many like things side by side become one
_END = 6  # things kept before a far break
_PLURALS = {"data": "data files", "code": "scripts", "config": "configurations", "log": "logs", "other": "files"}
NOTHING = "\x00nothing"  # id of the stand-in for what no record holds: no record can have it


@dataclass
class Drawn:
    """One thing that is drawn.

    Attributes:
        node: What it is.
        count: How many things it stands for.
        names: The labels of those, where they are a plain list.
        supports: The claim reaches it without crossing a break.
        culprit: A broken link ends here.
    """

    node: ChainNode
    count: int = 1
    names: tuple[str, ...] = ()
    supports: bool = False
    culprit: bool = False


@dataclass
class Slice:
    """A chain, ready to be drawn.

    Attributes:
        claim: Id of the claim's node.
        drawn: By id, in the order of the chain.
        edges: Between drawn things only, each once.
        missing: How many further things the chain holds that are not drawn.
    """

    claim: str
    drawn: dict[str, Drawn]
    edges: list[ChainEdge] = field(default_factory=list)
    missing: int = 0

    def children(self) -> dict[str, list[ChainEdge]]:
        """The edges by the thing that they start from."""
        out: dict[str, list[ChainEdge]] = defaultdict(list)
        for edge in self.edges:
            out[edge.source].append(edge)
        return out


def slice_chain(chain: Chain, *, most: int = 30) -> Slice:
    """Choose what of a chain is drawn.

    Args:
        chain: The chain.
        most: Draw at most so many things; those nearest to the claim and those on the way to the break stay.

    Returns:
        The things to draw, with their edges.
    """
    nodes: dict[str, ChainNode] = {}
    for node in chain.nodes:
        nodes.setdefault(node.id, node)
    claim = _claim_node(chain)
    nodes.setdefault(claim.id, claim)
    edges = _known_edges(chain, nodes)
    if len(nodes) == 1 and not edges and chain.judgement.outcome in (Outcome.FAILED, Outcome.UNTESTED):
        nothing = ChainNode(NOTHING, "entity", "", "nothing on record")
        why = chain.judgement.broken.why if chain.judgement.broken else chain.judgement.note
        nodes[NOTHING] = nothing
        edges = [ChainEdge(claim.id, NOTHING, "wasDerivedFrom", broken=True, why=why)]
    drawn = {key: Drawn(node) for key, node in nodes.items()}
    piece = Slice(claim.id, drawn, edges)
    _fold(piece)
    _cap(piece, most)
    _weigh(piece)
    return piece


def _claim_node(chain: Chain) -> ChainNode:
    for node in chain.nodes:
        if node.id == chain.claim.id:
            return node
    if chain.nodes and chain.nodes[0].kind == "claim":
        return chain.nodes[0]
    return ChainNode(chain.claim.id, "entity", "claim", chain.claim.written)


def _known_edges(chain: Chain, nodes: dict[str, ChainNode]) -> list[ChainEdge]:
    """Each edge between known things once; a plain double of a broken one goes."""
    best: dict[tuple[str, str, str], ChainEdge] = {}
    for edge in chain.edges:
        if edge.source in nodes and edge.target in nodes and edge.source != edge.target:
            key = (edge.source, edge.target, edge.relation)
            if key not in best or (edge.broken and not best[key].broken):
                best[key] = edge
    return list(best.values())


def _order(ids: list[str], out: dict[str, list[ChainEdge]]) -> list[str]:
    """The ids, what depends before what it depends on as far as no cycle forbids. Iterative: chains can be deep."""
    done: list[str] = []
    seen: set[str] = set()
    for start in ids:
        if start in seen:
            continue
        seen.add(start)
        stack = [(start, reversed(out.get(start, [])))]
        while stack:
            here, rest = stack[-1]
            for edge in rest:
                if edge.target not in seen:
                    seen.add(edge.target)
                    stack.append((edge.target, reversed(out.get(edge.target, []))))
                    break
            else:
                done.append(here)
                stack.pop()
    return done[::-1]


def _fold(piece: Slice) -> None:
    """Keep one of three or more like branches that hang on the same thing by the same relation."""
    out = piece.children()
    signature: dict[str, int] = {}
    known: dict[object, int] = {}
    for key in reversed(_order(list(piece.drawn), out)):
        node = piece.drawn[key].node
        below = Counter((edge.relation, edge.broken, signature.get(edge.target, -1)) for edge in out.get(key, ()))
        shape = (node.type, node.kind, node.status, node.external, frozenset(below.items()))
        signature[key] = known.setdefault(shape, len(known))
    pointed = {edge.target for edge in piece.edges}
    roots = [key for key in piece.drawn if key not in pointed and key != piece.claim]
    groups: dict[tuple[str, str, int], list[str]] = defaultdict(list)
    for key in roots:
        groups["", "", signature[key]].append(key)
    for edge in piece.edges:
        if not edge.broken and edge.target != piece.claim:
            groups[edge.source, edge.relation, signature[edge.target]].append(edge.target)
    dropped: set[tuple[str, str, str]] = set()
    gone: set[str] = set()
    for (source, relation, _), members in groups.items():
        if len(members) < _FOLD_AT:
            continue
        first, *others = members
        drawn = piece.drawn[first]
        if len(members) > drawn.count:
            drawn.count = len(members)
            drawn.names = () if out.get(first) else tuple(piece.drawn[key].node.label for key in members)
        if source:
            dropped.update((source, relation, key) for key in others)
        else:
            gone.update(others)
    piece.edges = [edge for edge in piece.edges if (edge.source, edge.relation, edge.target) not in dropped]
    _prune(piece, [piece.claim, *(key for key in roots if key not in gone)])


def _prune(piece: Slice, starts: list[str]) -> None:
    out = piece.children()
    kept = _reach(starts, out, cross=True)
    piece.drawn = {key: drawn for key, drawn in piece.drawn.items() if key in kept}
    piece.edges = [edge for edge in piece.edges if edge.source in kept and edge.target in kept]


def _reach(starts: list[str], out: dict[str, list[ChainEdge]], *, cross: bool) -> dict[str, ChainEdge | None]:
    """What can be reached, nearest first, and over which edge; over broken ones only where ``cross``."""
    came: dict[str, ChainEdge | None] = dict.fromkeys(starts)
    queue = deque(starts)
    while queue:
        for edge in out.get(queue.popleft(), ()):
            if edge.target not in came and (cross or not edge.broken):
                came[edge.target] = edge
                queue.append(edge.target)
    return came


def _cap(piece: Slice, most: int) -> None:
    """Keep the way to each break first, then what is nearest to the claim, then the rest in the order of the chain."""
    if len(piece.drawn) <= most:
        return
    came = _reach([piece.claim], piece.children(), cross=True)
    kept = dict.fromkeys([piece.claim])
    gaps: list[ChainEdge] = []
    for edge in piece.edges:
        if edge.broken and len(kept) < most:
            way = [edge.target, edge.source]
            while (step := came.get(way[-1])) is not None:
                way.append(step.source)
            near, far = way[_END - 1 :: -1], way[: -most // 2 : -1]
            kept.update(dict.fromkeys([*far, *near]))
            if len(way) > len(far) + _END:
                gaps.append(ChainEdge(far[-1], near[0], f"… {len(way) - len(far) - _END} things not drawn …"))
    for key in [*came, *piece.drawn]:
        if len(kept) >= most:
            break
        kept[key] = None
    piece.missing = len(piece.drawn) - len(kept)
    piece.drawn = {key: drawn for key, drawn in piece.drawn.items() if key in kept}
    piece.edges = [edge for edge in piece.edges if edge.source in kept and edge.target in kept] + gaps


def _weigh(piece: Slice) -> None:
    for key in _reach([piece.claim], piece.children(), cross=False):
        piece.drawn[key].supports = True
    for edge in piece.edges:
        if edge.broken:
            piece.drawn[edge.target].culprit = True


def plural(drawn: Drawn) -> str:
    """Say what a folded list holds: ``"4 failed attempts"``, ``"12 modules"``."""
    node = drawn.node
    if node.kind == "execution":
        noun = "failed attempts" if node.status == "failed" else f"{node.status} executions".strip()
    elif drawn.names and all(name.endswith(".py") for name in drawn.names):
        noun = "modules"
    else:
        noun = _PLURALS.get(node.kind, f"{node.kind or 'thing'}s")
    return f"{drawn.count} {noun}"


def ranks(piece: Slice, per_rank: int) -> dict[str, int]:
    """Give each thing a row: below everything that depends on it, with at most ``per_rank`` things in a row.

    Edges that close a cycle are left out of account.
    """
    out = piece.children()
    order = _order([piece.claim, *(key for key in piece.drawn if key != piece.claim)], out)
    place = {key: index for index, key in enumerate(order)}
    parents: dict[str, list[str]] = defaultdict(list)
    for edge in piece.edges:
        if place[edge.source] < place[edge.target]:
            parents[edge.target].append(edge.source)
    linked = _reach([piece.claim], out, cross=True)
    row: dict[str, int] = {}
    filled: Counter[int] = Counter()
    for key in sorted(order, key=lambda each: (each not in linked, place[each])):
        least = max((row[up] + 1 for up in parents[key] if up in row), default=0)
        if key not in linked and not parents[key]:  # stands beside the chain: as high as what it points at allows
            below = [row[edge.target] for edge in out.get(key, ()) if edge.target in row]
            least = max(min(below) - 1, 0) if below else 1
            row[key] = min(range(least, max(least - 3, -1), -1), key=lambda each: filled[each])
        else:
            while filled[least] >= per_rank:
                least += 1
            row[key] = least
        filled[row[key]] += 1
    return row
