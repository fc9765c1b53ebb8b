"""Conditions that the command line, the environment, a default, a literal or a missing module decides; all others stay open."""

from __future__ import annotations

import json
import textwrap

import pytest

from provchain.inspection.made_up import value_origins

BOTH = """
import argparse, importlib.util, json, os, random, sys
import pandas as pd
from sklearn.linear_model import LogisticRegression
def real(name="ours"):
    frame = pd.read_csv("data.csv")
    return {"f1": float(LogisticRegression().fit(frame, frame["y"]).score(frame, frame["y"]))}
def mock(name="ours"):
    return {"f1": 0.87 + random.gauss(0, 0.01)}
"""
SAVE = """
json.dump(result, open("r.json", "w"))
"""
PARSER = """
parser = argparse.ArgumentParser()
parser.add_argument("--mock", action="store_true")
parser.add_argument("--mode", choices=["full", "demo"], default="full")
parser.add_argument("--real", action=argparse.BooleanOptionalAction, default=True)
parser.add_argument("--no-train", dest="train", action="store_false")
parser.add_argument("-n", "--epochs", type=int, default=10)
parser.add_argument("target", nargs="?", default="paper")
args = parser.parse_args()
"""


def made_up(
    code: str,
    *argv: str,
    environment: dict[str, str] | None = None,
    missing: tuple[str, ...] = (),
    known: bool = True,
    **modules: str,
) -> bool | None:
    """Whether a script, with both ways of getting a result before it, makes its result up."""
    tree = {f"{name}.py": textwrap.dedent(text) for name, text in modules.items()}
    tree["run.py"] = BOTH + textwrap.dedent(code) + SAVE
    found = value_origins(
        tree, "run.py", argv=argv if known else None, environment=environment, missing=frozenset(missing)
    )
    return found.made_up


@pytest.mark.parametrize(
    ("choice", "invented", "honest"),
    [
        ("mock() if args.mock else real()", "--mock", ""),
        ("mock() if args.mode == 'demo' else real()", "--mode demo", "--mode full"),
        ("mock() if args.mode == 'demo' else real()", "--mode=demo", ""),
        ("real() if args.mode in ('full', 'long') else mock()", "--mode demo", ""),
        ("real() if args.real else mock()", "--no-real", "--real"),
        ("real() if args.train and not args.mock else mock()", "--no-train", ""),
        ("real() if args.epochs > 0 else mock()", "-n 0", "-n 5"),
        ("mock() if args.epochs <= 1 or args.mock else real()", "--epochs 1", "--epochs 2"),
        ("mock() if args.target != 'paper' else real()", "draft", "paper"),
        ("{'full': real, 'demo': mock}[args.mode]()", "--mode demo", "--mode full"),
        ("mock() if getattr(args, 'mock', False) else real()", "--mock", ""),
        ("mock() if vars(args)['mock'] else real()", "--mock", ""),
        ("mock() if args.mode.upper() == 'DEMO' else real()", "--mode demo", ""),
    ],
)
def test_the_command_line_chooses(choice: str, invented: str, honest: str) -> None:
    """The same script makes its result up with one command line, and measures it with another."""
    code = f"{PARSER}\nresult = {choice}\n"
    assert made_up(code, *invented.split()) is True
    assert made_up(code, *honest.split()) is False


def test_a_command_line_that_is_not_known_decides_nothing() -> None:
    """Unknown words, or words that the shell fills in, can be any flag."""
    code = f"{PARSER}\nresult = mock() if args.mock else real()\n"
    assert made_up(code, known=False) is False
    assert made_up(code, "$EXTRA") is False
    assert made_up(f"{PARSER}\nresult = mock() if args.mode == 'demo' else real()\n", "--mode", "$MODE") is False
    assert made_up(f"{PARSER}\nresult = real() if args.mode == 'demo' else mock()\n", "--mode", "$MODE") is False


@pytest.mark.parametrize(
    ("code", "invented", "honest"),
    [
        ("result = mock() if '--mock' in sys.argv else real()", "--mock", "--other"),
        ("result = mock() if sys.argv[1] == 'mock' else real()", "mock", "real"),
        ("result = real() if len(sys.argv) > 1 else mock()", "", "1"),
        ("from sys import argv\nresult = mock() if '--mock' in argv[1:] else real()", "--mock", ""),
        ("words = sys.argv[1:]\nresult = mock() if '--mock' in words else real()", "--mock", ""),
        (
            "def main(argv=None):\n    p = argparse.ArgumentParser()\n    p.add_argument('--backend', default='fake')\n"
            "    args = p.parse_args(argv)\n    return {'fake': mock, 'true': real}[args.backend]()\nresult = main()",
            "",
            "--backend true",
        ),
        (
            "p = argparse.ArgumentParser()\nsub = p.add_subparsers(dest='cmd')\none = sub.add_parser('run')\n"
            "one.add_argument('--mock', action='store_true')\nsub.add_parser('demo')\nargs = p.parse_args()\n"
            "result = mock() if args.cmd == 'demo' or args.mock else real()",
            "run --mock",
            "run",
        ),
        (
            "p = argparse.ArgumentParser()\np.add_argument('--train', dest='train', action='store_true')\n"
            "p.add_argument('--no-train', dest='train', action='store_false')\np.set_defaults(train=True)\n"
            "result = real() if p.parse_args().train else mock()",
            "--no-train",
            "",
        ),
        (
            "p = argparse.ArgumentParser()\np.add_argument('--train', dest='train', action='store_true')\n"
            "p.add_argument('--no-train', dest='train', action='store_false')\n"
            "result = real() if p.parse_args().train else mock()",
            "",
            "--train",
        ),
        (
            "def options():\n    p = argparse.ArgumentParser()\n    g = p.add_argument_group('x')\n"
            "    g.add_argument('--mock', action='store_true')\n    return p.parse_known_args()\n"
            "args, _ = options()\nclass Run:\n    def __init__(self, args):\n        self.args = args\n"
            "    def go(self):\n        if self.args.mock:\n            return mock()\n        return real()\n"
            "result = Run(args).go()",
            "--mock --unknown 3",
            "--unknown 3",
        ),
        (
            "import click\n@click.command()\n@click.option('--mock/--no-mock', default=False)\n@click.option('--n', default=3)\n"
            "def main(mock, n):\n    out = {'f1': 0.87} if mock else real()\n"
            "    json.dump(out, open('o.json', 'w'))\nmain()\nresult = {'f1': 0.5}",
            "--mock --n 4",
            "--n 4",
        ),
    ],
)
def test_other_ways_to_ask_for_arguments(code: str, invented: str, honest: str) -> None:
    """``sys.argv``, subcommands, groups, parsers in functions, objects that keep the arguments, and ``click``."""
    assert made_up(code, *invented.split()) is True
    assert made_up(code, *honest.split()) is False


@pytest.mark.parametrize(
    "test",
    [
        "os.environ.get('FAST', '0') == '1'",
        "os.getenv('FAST') == '1'",
        "'FAST' in os.environ",
        "os.environ['FAST'] == '1'",
        "int(os.environ.get('FAST', 0)) > 0",
        "bool(os.environ.get('FAST'))",
    ],
)
def test_the_environment_chooses(test: str) -> None:
    """A variable that the command sets is known; one that it does not set may have been set before."""
    code = f"result = mock() if {test} else real()"
    assert made_up(code, environment={"FAST": "1"}) is True
    assert made_up(code) is False
    assert made_up(f"result = real() if {test} else mock()", environment={"FAST": "1"}) is False
    assert made_up(f"result = real() if {test} else mock()") is False
    assert made_up(f"os.environ['FAST'] = input()\n{code}", environment={"FAST": "1"}) is False


@pytest.mark.parametrize(
    "code",
    [
        "def run(simulate=True):\n    if simulate:\n        return mock()\n    return real()\nresult = run()",
        "def run(model=None):\n    return mock() if model is None else real()\nresult = run()",
        "USE_MOCK = True\ndef run():\n    if USE_MOCK:\n        return mock()\n    return real()\nresult = run()",
        "CONFIG = {'mode': 'demo', 'lr': 0.1}\nresult = mock() if CONFIG['mode'] == 'demo' else real()",
        "CONFIG = dict(mode='demo')\nresult = mock() if CONFIG.get('mode') == 'demo' else real()",
        "CONFIG = {}\nresult = real() if CONFIG.get('train', False) else mock()",
        "class C:\n    MOCK = True\nresult = mock() if C.MOCK else real()",
        "class C:\n    def __init__(self, mock=True):\n        self.mock = mock\n    def go(self):\n"
        "        return mock() if self.mock else real()\nresult = C().go()",
        "from dataclasses import dataclass\n@dataclass\nclass C:\n    mock: bool = False\n"
        "cfg = C(mock=True)\nresult = mock() if cfg.mock else real()",
        "def wanted():\n    return 'demo'\nresult = real() if wanted() == 'full' else mock()",
        "mode = 'demo'\nmatch mode:\n    case 'full':\n        result = real()\n    case 'demo' | 'test':\n        result = mock()",
        "result = mock()\nwhile False:\n    result = real()",
        "from settings import USE_MOCK\nresult = mock() if USE_MOCK else real()",
        "import settings\nresult = real() if not settings.USE_MOCK else mock()",
        "from functools import partial\ndef run(a, real_one=False):\n    return real() if real_one else mock()\n"
        "result = partial(run, 1)()",
        "def inner(flag):\n    return mock() if flag else real()\ndef outer(flag=True):\n    return inner(flag)\nresult = outer()",
        "result = mock() if (FAST := True) and FAST else real()",
    ],
)
def test_defaults_and_literals_choose(code: str) -> None:
    """What stands in the script itself decides: defaults, module constants, entries of a literal dictionary."""
    assert made_up(code, settings="USE_MOCK = True") is True


@pytest.mark.parametrize(
    "code",
    [
        "import torch\nresult = real() if torch.cuda.is_available() else mock()",
        "def run(simulate=True):\n    return mock() if simulate else real()\nresult = [run(), run(simulate=False)]",
        "def run(simulate=True):\n    return mock() if simulate else real()\nresult = [run(False), run(True)]",
        "def run(simulate=True):\n    return mock() if simulate else real()\nresult = run(False)",
        "def run(*a, simulate=True):\n    return mock() if simulate else real()\nresult = run(**json.loads(input()))",
        "USE_MOCK = True\ndef main():\n    global USE_MOCK\n    USE_MOCK = len(os.listdir('.')) > 3\n"
        "def run():\n    return mock() if USE_MOCK else real()\nmain()\nresult = run()",
        "USE_MOCK = True\nUSE_MOCK = input() == 'y'\ndef run():\n    return mock() if USE_MOCK else real()\nresult = run()",
        "USE_MOCK = True\nfor word in input().split():\n    USE_MOCK = word == 'y'\nresult = mock() if USE_MOCK else real()",
        "try:\n    found = real()\n    good = True\nexcept Exception:\n    good = False\nresult = found if good else mock()",
        "CONFIG = {'mode': 'demo'}\nCONFIG['mode'] = input()\nresult = mock() if CONFIG['mode'] == 'demo' else real()",
        "CONFIG = {'mode': 'demo'}\nCONFIG.update(json.load(open('c.json')))\n"
        "result = mock() if CONFIG['mode'] == 'demo' else real()",
        "CONFIG = {'mode': 'demo'}\ndef load(into):\n    into['mode'] = 'full'\nload(CONFIG)\n"
        "result = mock() if CONFIG['mode'] == 'demo' else real()",
        "CONFIG = {}\ndef load(into):\n    into['mode'] = 'full'\nload(CONFIG)\n"
        "result = real() if CONFIG.get('mode', 'demo') == 'full' else mock()",
        "class C:\n    mock = True\n    def off(self):\n        self.mock = False\nc = C()\nc.off()\n"
        "result = mock() if c.mock else real()",
        "class C:\n    def __init__(self):\n        self.mock = True\nc = C()\nsetattr(c, input(), False)\n"
        "result = mock() if c.mock else real()",
        "import settings\nsettings.USE_MOCK = False\nresult = mock() if settings.USE_MOCK else real()",
        "def wanted():\n    if os.path.exists('data.csv'):\n        return 'full'\n    return 'demo'\n"
        "result = real() if wanted() == 'full' else mock()",
        "done = None\nfor i in range(3):\n    if done is None:\n        done = mock()\n    else:\n        done = real()\nresult = done",
        "sys.argv = ['x', *input().split()]\nresult = mock() if '--mock' in sys.argv else real()",
        "words = sys.argv[1:]\nwords.remove('--mock')\nresult = mock() if '--mock' in words else real()",
        "modes = ['demo']\nmodes.append('full')\nresult = real() if 'full' in modes else mock()",
        "flag = not isinstance(3, int)\nresult = real() if flag else mock()",
        "mode = 'de' + 'mo'\nresult = real() if mode == 'de' else mock()",
        "import contextlib\nready = False\nwith contextlib.suppress(Exception):\n    real()\n    ready = True\n"
        "result = mock() if ready else real()",
        "mode = input()\nmatch mode:\n    case 'full':\n        result = real()\n    case _:\n        result = mock()",
        "def run(n=0):\n    if n > 2:\n        return real()\n    return run(n + 1)\nresult = run()",
        "from concurrent.futures import ThreadPoolExecutor\ndef run(flag=True):\n    return mock() if flag else real()\n"
        "with ThreadPoolExecutor() as pool:\n    result = list(pool.map(run, [False, True]))",
        "flags = {'mock': True}\nflags.pop('mock')\nresult = mock() if flags.get('mock') else real()",
        "flags = {'mock': True}\ndel flags['mock']\nresult = mock() if flags.get('mock') else real()",
        "flags = {'mock': True}\nflags.clear()\nresult = mock() if flags.get('mock') else real()",
        "import settings\nsetattr(settings, 'USE_MOCK', False)\nresult = mock() if settings.USE_MOCK else real()",
        "class C:\n    def __init__(self):\n        self.mock = True\nc = C()\nobject.__setattr__(c, 'mock', False)\n"
        "result = mock() if c.mock else real()",
        "class R:\n    def __init__(self, m):\n        self.m = m\n    def go(self):\n        return mock() if self.m else real()\n"
        "def make(m):\n    return R(m)\nresult = [make(True).go(), make(False).go()]",
        "from tap import Tap\nclass Args(Tap):\n    mock: bool = True\nargs = Args().parse_args()\n"
        "result = mock() if args.mock else real()",
        "from pydantic_settings import BaseSettings\nclass S(BaseSettings):\n    mock: bool = True\ns = S()\n"
        "result = mock() if s.mock else real()",
        "from pytorch_lightning import Callback, Trainer\nclass Seen(Callback):\n    def __init__(self):\n"
        "        self.best = None\n    def on_fit_end(self, trainer, module):\n        self.best = trainer.metrics\n"
        "seen = Seen()\nTrainer(callbacks=[seen]).fit(None)\nresult = mock() if seen.best is None else real()",
        "import configargparse\np = configargparse.ArgParser()\np.add_argument('--demo', default='yes')\n"
        "result = mock() if p.parse_args().demo == 'yes' else real()",
        "n = 0\nwhile n < 3:\n    n += 1\nresult = real() if n == 3 else mock()",
    ],
)
def test_what_is_not_decided_stays_open(code: str) -> None:
    """Nothing is decided that another value, another call or another moment could decide otherwise."""
    assert made_up(code, "--mock", settings="USE_MOCK = True") is not True


@pytest.mark.parametrize(
    "code",
    [
        f"{PARSER}\nif args.mock:\n    raise SystemExit('no mock runs')\nresult = real()",
        f"{PARSER}\nn = 2 if args.mode == 'demo' else 50\nresult = [real() for _ in range(n)]",
        f"{PARSER}\nresult = real('a') if args.mode == 'demo' else real('b')",
        f"{PARSER}\nargs.mock = False\nresult = mock() if args.mock else real()",
        f"{PARSER}\nargs.device = 'cpu'\nresult = mock() if args.mode == 'full' and args.mock else real()",
        "parser = argparse.ArgumentParser(parents=[json])\nparser.add_argument('--mock', action='store_true')\n"
        "args = parser.parse_args()\nresult = mock() if args.mock else real()",
        "parser = argparse.ArgumentParser()\nfor name in input().split():\n    parser.add_argument(name)\n"
        "parser.add_argument('--mode', default='demo')\nargs = parser.parse_args()\n"
        "result = mock() if args.mode == 'demo' else real()",
        "def run(model=None):\n    model = model or LogisticRegression()\n    return real()\nresult = run()",
    ],
)
def test_honest_use_of_flags(code: str) -> None:
    """Flags that shorten a run, refuse one or choose between two real ways leave a real result real."""
    assert made_up(code, "--mode", "demo") is False


FALLBACK = """
try:
    import torch
    import torch.nn as nn
    TORCH = True
except ImportError:
    TORCH = False
result = real() if TORCH and torch.cuda.is_available() else mock()
"""


@pytest.mark.parametrize(
    "code",
    [
        FALLBACK,
        "try:\n    from torch import nn\nexcept (ImportError, OSError):\n    nn = None\nresult = mock() if nn is None else real()",
        "def run():\n    try:\n        import torch\n        return real()\n    except Exception as e:\n        return mock()\n"
        "result = run()",
        "result = real() if importlib.util.find_spec('torch') is not None else mock()",
        "import contextlib\nready = False\nwith contextlib.suppress(ImportError):\n    import torch\n    ready = True\n"
        "result = real() if ready else mock()",
    ],
)
def test_a_missing_module_chooses_the_handler(code: str) -> None:
    """Where the record shows that a module is missing, its import fails; otherwise it may succeed."""
    assert made_up(code, missing=("torch",)) is True
    assert made_up(code) is False
    assert made_up(code, missing=("tensorflow",)) is False


@pytest.mark.parametrize(
    "code",
    [
        "import torch\nresult = real()",
        "try:\n    import torch\nexcept ImportError:\n    raise SystemExit(1)\nresult = real()",
        "try:\n    import torch\nexcept ImportError:\n    sys.exit(1)\nresult = real()",
        "try:\n    import torch\n    result = mock()\nexcept ImportError:\n    result = real()",
        "try:\n    import torch\n    result = real()\nexcept ValueError:\n    result = mock()",
    ],
)
def test_a_run_that_completed_had_the_module_where_nothing_catches_its_absence(code: str) -> None:
    """The execution completed: it did not stop at the import."""
    assert made_up(code, missing=("torch",)) is False


def test_a_module_of_the_run_is_not_missing() -> None:
    """What another working directory did not find lies beside the script."""
    code = "try:\n    import models\n    result = models.train()\nexcept ImportError:\n    result = mock()"
    assert (
        made_up(code, missing=("models",), models="import numpy as np\ndef train():\n    return np.load('x.npy')")
        is False
    )


@pytest.mark.parametrize(
    "load",
    [
        "import yaml\ncfg = yaml.safe_load(open('conf/a.yaml'))",
        "import yaml\nwith open('./conf/a.yaml') as f:\n    cfg = yaml.load(f, Loader=yaml.SafeLoader)",
        "cfg = json.load(open('conf/a.json'))",
        "p = argparse.ArgumentParser()\np.add_argument('--config', default='conf/a.json')\nargs = p.parse_args()\n"
        "def load(path):\n    with open(path) as f:\n        return json.load(f)\ncfg = load(args.config)",
    ],
)
def test_a_configuration_file_chooses(load: str) -> None:
    """What a configuration file held decides where its text is known, and only as long as nothing changes it."""
    tree = {"run.py": f"{BOTH}{load}\nresult = real() if cfg['run']['mode'] == 'full' else mock()\n{SAVE}"}
    changed = {
        "run.py": f"{BOTH}{load}\ncfg['run']['mode'] = input()\nresult = mock() if cfg['run']['mode'] != 'full' else real()\n{SAVE}"
    }

    def configs(mode: str) -> dict[str, str]:
        return {"conf/a.yaml": f"lr: 0.1\nrun:\n  mode: {mode}\n", "conf/a.json": json.dumps({"run": {"mode": mode}})}

    assert value_origins(tree, "run.py", argv=(), configs=configs("demo")).made_up is True
    assert value_origins(tree, "run.py", argv=(), configs=configs("full")).made_up is False
    assert value_origins(tree, "run.py", argv=()).made_up is False
    assert value_origins(changed, "run.py", argv=(), configs=configs("demo")).made_up is False


def test_numbers_from_a_configuration_file_were_read() -> None:
    """A file that was read stays a real origin of what is written, whatever it holds."""
    code = "import json\ncfg = json.load(open('r.json'))\njson.dump(cfg['acc'], open('s.json', 'w'))"
    found = value_origins({"run.py": code}, "run.py", configs={"r.json": '{"acc": 0.9}'})
    assert found.made_up is False
    assert [origin.kind for origin in found.sinks[0].origins][:1] == ["read"]
