"""Made-up input and golden files: ``PROVCHAIN_ACCEPT=1 pytest tests/render`` accepts what is printed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from provchain.model import Break, Chain, ChainEdge, ChainNode, Claim, ClaimKind, Judgement, Verdict

GOLDEN = Path(__file__).parent / "golden"
HOSTILE = '"];\\input{/etc/passwd}<script>alert(1)</script>&amp;&lt;'
HOSTILE += "\x1b[31m\ud800\u202eevil\\N\\l{a|b}[red]x[/red]\x00\nline2"


@pytest.fixture(scope="session")
def golden() -> Callable[[str, str], None]:
    def check(name: str, text: str) -> None:
        text = "\n".join(line.rstrip() for line in text.splitlines()) + "\n"
        path = GOLDEN / name
        if os.environ.get("PROVCHAIN_ACCEPT"):
            path.write_text(text, encoding="utf-8")
        assert path.exists(), (
            f"no golden file {name}: look at the output, then run PROVCHAIN_ACCEPT=1 pytest tests/render"
        )
        assert text == path.read_text(encoding="utf-8"), (
            f"{name} differs: PROVCHAIN_ACCEPT=1 pytest tests/render accepts it"
        )

    return check


def claim(written: str = "0.7279", **more: Any) -> Claim:
    fields = {"row": "Proposed (ours)", "header": "mAP", "table": 1, "cell": (3, 2), "measured": True} | more
    return Claim(
        "c1", ClaimKind.NUMBER, "results/results.md", 38, 19, written, "| Proposed (ours) | 0.7279 |", **fields
    )


def chain(
    verdict: Verdict, nodes: list[ChainNode], edges: list[ChainEdge], why: str = "", of: Claim | None = None
) -> Chain:
    broken = Break(str(verdict), "87.1", why) if why else None
    return Chain(of or claim(), Judgement("c1", verdict, broken=broken), tuple(nodes), tuple(edges))


CLAIM = ChainNode("c1", "entity", "claim", "0.7279", ("results/results.md:38:19",))
VALUE = ChainNode("v1", "entity", "value", "0.7279", ("/models/proposed/mAP",))
FILE = ChainNode("a1", "entity", "artifact", "results/metrics.json", ("sha256 3fa1…9c2e",))
TOP = [CLAIM, VALUE, FILE]
TOP_EDGES = [ChainEdge("c1", "v1", "wasDerivedFrom"), ChainEdge("v1", "a1", "wasDerivedFrom")]
AGENT = ChainNode("agent", "agent", "agent", "Claude Code")


def execution(key: str, command: str, status: str, *details: str) -> ChainNode:
    return ChainNode(key, "activity", "execution", command, details, status=status)


def entity(key: str, kind: str, label: str, *details: str, external: bool = False) -> ChainNode:
    return ChainNode(key, "entity", kind, label, details, external=external)


def holds() -> Chain:
    nodes = [
        *TOP,
        execution(
            "e", "python experiments/run_experiment.py --seed 42 --epochs 30", "completed", "claude_output.json:76"
        ),
        entity("s", "script", "experiments/run_experiment.py"),
        entity("d", "data", "data/cifar10/train.npz", external=True),
        entity("p", "step", "Train and evaluate the proposed model"),
        ChainNode("r", "agent", "recorder", "Claude Code trace"),
    ]
    edges = [
        *TOP_EDGES,
        ChainEdge("a1", "e", "wasGeneratedBy"),
        ChainEdge("e", "s", "used"),
        ChainEdge("e", "d", "used"),
    ]
    edges += [ChainEdge("e", "p", "correspondsToStep"), ChainEdge("e", "r", "wasAssociatedWith")]
    return chain(Verdict.SUPPORTED, nodes, edges)


def synthetic() -> Chain:
    why = "simulate_results.py reads no data, trains no model and draws its values from random numbers around constants"
    write = ChainNode("w", "activity", "authoring", "Write claude_code/simulate_results.py", ("claude_output.json:85",))
    script = entity("s", "script", "claude_code/simulate_results.py")
    ran = execution("e", "python claude_code/simulate_results.py", "completed", "claude_output.json:87")
    edges = [*TOP_EDGES, ChainEdge("a1", "e", "wasGeneratedBy", broken=True, why=why), ChainEdge("e", "s", "used")]
    edges += [ChainEdge("s", "w", "wasGeneratedBy"), ChainEdge("w", "agent", "wasAssociatedWith")]
    return chain(Verdict.SYNTHETIC, [*TOP, ran, script, write, AGENT], edges, why)


def failed() -> Chain:
    why = "the execution failed: CUDA out of memory"
    modules = [entity(f"m{number}", "script", f"experiments/models/part_{number}.py") for number in range(12)]
    ran = execution(
        "e", "python experiments/run_experiment.py --seed 42", "failed", "claude_output.json:76", "CUDA out of memory"
    )
    nodes = [
        *TOP,
        ran,
        entity("s", "script", "experiments/run_experiment.py"),
        entity("d", "data", "data/train.npz"),
        *modules,
    ]
    edges = [*TOP_EDGES, ChainEdge("a1", "e", "wasGeneratedBy", broken=True, why=why), ChainEdge("e", "s", "used")]
    edges += [ChainEdge("e", "d", "used"), *(ChainEdge("s", module.id, "imports") for module in modules)]
    return chain(Verdict.NOT_COMPLETED, nodes, edges, why)


def substitute() -> Chain:
    why = "a substitute: the planned step never completed"
    error = "ModuleNotFoundError: No module named 'torchvision'"
    tries = [
        execution(
            f"f{n}", f"python run_experiment.py --config c{n}.yaml", "failed", f"claude_output.json:{60 + n}", error
        )
        for n in range(4)
    ]
    ran = execution("e", "python claude_code/quick_eval.py", "completed", "claude_output.json:87")
    step = entity("p", "step", "run_experiment.py", "named by the proposal")
    nodes = [
        *TOP,
        ran,
        entity("s", "script", "claude_code/quick_eval.py"),
        entity("d", "data", "data/sample.csv"),
        step,
        *tries,
    ]
    edges = [
        *TOP_EDGES,
        ChainEdge("a1", "e", "wasGeneratedBy"),
        ChainEdge("e", "s", "used"),
        ChainEdge("e", "d", "used"),
    ]
    edges += [ChainEdge("e", "p", "correspondsToStep", broken=True, why=why)]
    return chain(Verdict.OFF_PLAN, nodes, edges + [ChainEdge(each.id, "p", "correspondsToStep") for each in tries], why)


def copied() -> Chain:
    why = "typed by the agent with Write; no execution on record left it"
    copy = execution("cp", "cp claude_code/out/metrics.json results/", "completed", "claude_output.json:91")
    first = entity("a0", "artifact", "claude_code/out/metrics.json")
    write = ChainNode("w", "activity", "authoring", "Write claude_code/out/metrics.json", ("claude_output.json:88",))
    edges = [
        *TOP_EDGES,
        ChainEdge("a1", "cp", "wasGeneratedBy"),
        ChainEdge("cp", "a0", "used"),
        ChainEdge("a1", "a0", "alternateOf"),
    ]
    edges += [
        ChainEdge("a0", "w", "wasGeneratedBy", broken=True, why=why),
        ChainEdge("w", "agent", "wasAssociatedWith"),
    ]
    return chain(Verdict.AUTHORED, [*TOP, copy, first, write, AGENT], edges, why)


def nothing() -> Chain:
    return chain(Verdict.NO_SOURCE, [CLAIM], [], "no value on record rounds to 0.7279")


def seeds() -> Chain:
    nodes, edges = [CLAIM, entity("s", "script", "run.py")], []
    for n in range(5):
        aborted = n == 3
        nodes += [
            entity(f"v{n}", "value", f"0.7{n}1", "/mAP"),
            entity(f"a{n}", "artifact", f"results/seed{n}/metrics.json"),
        ]
        nodes.append(execution(f"e{n}", f"python run.py --seed {n}", "aborted" if aborted else "completed"))
        edges += [ChainEdge("c1", f"v{n}", "wasDerivedFrom"), ChainEdge(f"v{n}", f"a{n}", "wasDerivedFrom")]
        edges += [ChainEdge(f"a{n}", f"e{n}", "wasGeneratedBy", broken=aborted, why="time-out after 2 min" * aborted)]
        edges.append(ChainEdge(f"e{n}", "s", "used"))
    return chain(Verdict.PARTIAL, nodes, edges, "time-out after 2 min", claim("73.1 ± 0.4 %"))


def long() -> Chain:
    """A claim at the end of 3,000 copies, of which one of the last does not hold."""
    nodes = [
        CLAIM,
        *(
            entity(f"x{n}", "artifact", f"copy {n}") if n % 2 == 0 else execution(f"x{n}", f"cp {n}", "completed")
            for n in range(3000)
        ),
    ]
    edges = [ChainEdge("c1", "x0", "wasDerivedFrom")]
    edges += [
        ChainEdge(
            f"x{n}", f"x{n + 1}", "used" if n % 2 else "wasGeneratedBy", broken=n == 2990, why="altered" * (n == 2990)
        )
        for n in range(2999)
    ]
    return chain(Verdict.STALE, nodes, edges, "altered")


def hostile() -> Chain:
    nodes = [
        entity("c1", "claim", HOSTILE),
        ChainNode("sha256:abc", "entity", HOSTILE, HOSTILE * 500, (HOSTILE, HOSTILE)),
        ChainNode(
            "中文\ud800",
            "activity",
            "execution",
            "python 実験.py --名前 中文中文中文中文中文中文",
            (HOSTILE,),
            status="completed",
        ),
        ChainNode("http://x/?a=b&c=d", "agent", "agent", "http://x/?a=b&c=d"),
        ChainNode("sha256:abc", "nonsense", "", "a second thing of the same id"),
        ChainNode("", "nonsense", "", ""),
    ]
    edges = [
        ChainEdge("c1", "sha256:abc", HOSTILE),
        ChainEdge("sha256:abc", "中文\ud800", "wasGeneratedBy", broken=True, why=HOSTILE * 1000),
        ChainEdge("中文\ud800", "http://x/?a=b&c=d", "wasAssociatedWith"),
        ChainEdge("http://x/?a=b&c=d", "c1", "loop"),
        ChainEdge("c1", "c1", "self"),
        ChainEdge("c1", "nowhere", "x"),
        ChainEdge("c1", "", "y"),
    ]
    return chain(Verdict.SUPPORTED, nodes, edges, of=claim(HOSTILE, row=HOSTILE, header=HOSTILE))


CHAINS: dict[str, Callable[[], Chain]] = {
    "holds": holds, "synthetic": synthetic, "failed": failed, "substitute": substitute, "copied": copied,
    "nothing": nothing, "seeds": seeds, "long": long, "hostile": hostile,
}  # fmt: skip


@pytest.fixture(params=sorted(CHAINS))
def named_chain(request: pytest.FixtureRequest) -> tuple[str, Chain]:
    return request.param, CHAINS[request.param]()


@pytest.fixture
def make_chain() -> Callable[[str], Chain]:
    return lambda name: CHAINS[name]()


def _claims() -> list[dict[str, Any]]:
    claims: list[dict[str, Any]] = []

    def add(verdict: str, outcome: str, place: tuple[int, int], written: str, **more: Any) -> None:
        base = {"id": f"c{len(claims)}", "kind": "number", "text": "", "written": written, "path": "results/results.md"}
        base |= {
            "line": place[0],
            "column": place[1],
            "verdict": verdict,
            "outcome": outcome,
            "break": None,
            "evidence": [],
        }
        claims.append(base | more)

    why = "simulate_results.py reads no data, trains no model and draws its values from random numbers around constants"
    for row in range(8):
        for column in range(5):
            value = f"0.{7000 + 13 * (5 * row + column)}"
            operand = {
                "path": "results/metrics.json",
                "selector": f"/m{row}/k{column}",
                "value": value,
                "execution": "87.1",
            }
            at = {"link": "synthetic", "at": "87.1", "why": why}
            add("synthetic", "failed", (38 + row, 19 + 9 * column), value, **{"break": at}, evidence=[operand], table=3)
    for row in range(6):
        operand = {
            "path": "results/timing.csv",
            "selector": f"cell={row + 2},3",
            "value": f"{12 + row}.4871",
            "execution": "91.1",
        }
        add("supported", "passed", (60 + row, 10), f"{12 + row}.5 s", evidence=[operand], table=4)
    for row in range(3):
        at = {"link": "no-source", "at": f"results/results.md:{72}", "why": "no value on record gives this number"}
        add("no-source", "failed", (72 + row, 33), f"{3 + row}.2×", **{"break": at})
    operand = {
        "path": "results/ablation/a/long/way/to/a/result/file_of_seed_42.json",
        "selector": "/accuracy",
        "value": "0.9117",
        "execution": "95.1",
    }
    add("supported-with-deviation", "passed", (80, 4), "91.2%", evidence=[operand] * 3)
    add("ambiguous", "cantTell", (81, 4), "0.5")
    add("unrecorded", "untested", (82, 4), "44")
    for row in range(7):
        add("not-a-result", "inapplicable", (5 + row, 1), "2023")
    add("configured", "passed", (15, 1), "42")
    at = {"link": "authored", "at": "88.1", "why": "typed by the agent with Write"}
    operand = {"path": "results/summary.json", "selector": "/best", "value": "0.99", "execution": "88.1"}
    add(
        "authored",
        "failed",
        (12, 3),
        "0.99 [bold]x[/bold]\x1b[2J",
        **{"break": at},
        evidence=[operand],
        path="paper.md",
    )
    return claims


@pytest.fixture
def report() -> dict[str, Any]:
    error = "ModuleNotFoundError: No module named 'torchvision'"
    failing = [
        {"id": f"{60 + n}.1", "command": f"python claude_code/run_experiment.py --config configs/c{n}.yaml",
         "status": "failed",
         "step": "run_experiment.py", "planned": True, "generated": [], "error": error}
        for n in range(4)
    ]  # fmt: skip
    made_up = {
        "id": "87.1",
        "command": "python simulate_results.py",
        "status": "completed",
        "step": None,
        "planned": False,
    }
    made_up |= {"generated": ["results/metrics.json", "results/fig1.png", "results/fig2.png"], "error": None}
    looks = [
        {"id": f"{n}.1", "command": "ls", "status": "completed", "step": None, "planned": False, "generated": []}
        for n in range(30)
    ]
    places = [{"path": "claude_output.json", "locator": str(60 + n)} for n in range(4)]
    offsets = [
        {"rule": "constant-offset", "severity": "note", "strength": "hint",
         "message": f"Rows {n} and {n + 1} differ by 0.013.",
         "at": [{"path": "results/results.md", "locator": "40"}]}
        for n in range(12)
    ]  # fmt: skip
    step = {"rule": "planned-step-not-completed", "severity": "error", "strength": "proof", "at": places}
    step["message"] = "The planned step run_experiment.py was tried 4 times and never completed."
    return {
        "format": "provchain-report/1", "tool": "provchain 0.1.0", "policy": "default",
        "study": {"id": "x", "title": "Adaptive Curriculum for Robust Retrieval", "sources": []},
        "outcome": "unsupported", "action": "reject",
        "papers": [{"path": "results/results.md", "outcome": "unsupported", "action": "reject"},
                   {"path": "paper.md", "outcome": "mixed", "action": "review"}],
        "claims": _claims(), "executions": [*failing, made_up, *looks], "authorings": [], "findings": [*offsets, step],
        "coverage": {"claims": 60, "results": 52, "decided": 50, "abstained": 2,
                     "not_checked": ["figures: only their files are matched, not what they show", "x.pt: no reader"]},
    }  # fmt: skip
