"""What scripts do to files: each construct on its own, then the laws and the bounds."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provchain.inspection.effects import FileEffect, ScriptEffects, literal_weight, match_effect, script_effects
from provchain.model import Role


def run(code: str, *argv: str, cwd: str = "code", root: str = "", **modules: str) -> ScriptEffects:
    """Effects of ``code/main.py`` beside modules of the run (``a__b`` is ``a/b.py``)."""
    tree = {f"code/{name.replace('__', '/')}.py": textwrap.dedent(text) for name, text in modules.items()}
    tree["code/main.py"] = textwrap.dedent(code)
    return script_effects(tree, "code/main.py", argv=argv, cwd=cwd, root=root)


def written(effects: ScriptEffects, *modes: str) -> list[str]:
    return [e.pattern for e in effects.writes if e.mode in (modes or ("write", "append"))]


def read(effects: ScriptEffects) -> list[str]:
    return [e.pattern for e in effects.reads]


PATHS = {
    "open('out.txt', 'w')": "code/out.txt",
    "open('../out.txt', mode='w')": "out.txt",
    "open('./a//b/../out.txt', 'wb')": "code/a/out.txt",
    "import os; open(os.path.join('a', 'b', 'c.txt'), 'w')": "code/a/b/c.txt",
    "import os; open(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'r.json'), 'w')": "r.json",
    "import os.path as osp; open(osp.join(osp.dirname(__file__), 'r.json'), 'w')": "code/r.json",
    "from os.path import join, dirname; open(join(dirname(__file__), 'r.json'), 'w')": "code/r.json",
    "import os; open(os.getcwd() + '/x.txt', 'w')": "code/x.txt",
    "from pathlib import Path; (Path(__file__).parent.parent / 'results' / 'r.md').write_text('x')": "results/r.md",
    "from pathlib import Path; Path(__file__).resolve().parents[1].joinpath('r.md').open('w')": "r.md",
    "from pathlib import Path; Path.cwd().joinpath('a', 'b').with_suffix('.md').write_text('')": "code/a/b.md",
    "from pathlib import Path; p = Path('a/b.csv'); open(p.with_name(p.stem + '_x' + p.suffix), 'w')": "code/a/b_x.csv",
    "import pathlib; open(str(pathlib.Path('a') / 'b'), 'w')": "code/a/b",
    "n = 'x'; open(f'{n}_{1 + 1}_{0.5:.2f}_{3:03d}.txt', 'w')": "code/x_2_0.50_003.txt",
    "open('%s_%d.txt' % ('a', 3), 'w')": "code/a_3.txt",
    "open('%(k)s.txt' % {'k': 'v'}, 'w')": "code/v.txt",
    "open('{}-{name}.txt'.format('a', name='b'), 'w')": "code/a-b.txt",
    "open('_'.join(['a', 'b']).upper() + '.txt'.replace('t', 'd'), 'w')": "code/A_B.dxd",
    "import os; b, e = os.path.splitext('in.csv'); open(b + '_out' + e, 'w')": "code/in_out.csv",
    "open('org/model-7b'.split('/')[-1] + '.txt', 'w')": "code/model-7b.txt",
    "from datetime import datetime; open('log_' + datetime.now().strftime('%Y') + '.txt', 'w')": "code/log_*.txt",
    "import time; open(f'r_{int(time.time())}.json', 'w')": "code/r_*.json",
    "import os; open(os.environ.get('OUT', 'dflt') + '/x', 'w')": "code/dflt/x",
    "import os; open(os.path.join(os.environ['OUT'], 'x.txt'), 'w')": "*/x.txt",
    "open('/tmp/x.txt', 'w')": "/tmp/x.txt",
    "import os; os.chdir('sub'); open('x.txt', 'w')": "code/sub/x.txt",
    "C = {'out': {'dir': 'd'}}; open(C['out']['dir'] + '/x', 'w')": "code/d/x",
    "C = dict(out='d'); C['out'] = C['out'] + '2'; open(C.get('out'), 'w')": "code/d2",
    "p = 'a'; p += '.txt'; open(p, 'w')": "code/a.txt",
    "open(('a' if True else 'b') + '.txt', 'w')": "code/a.txt",
    "d = None or 'dd'; open(d, 'w')": "code/dd",
    "if (p := 'walrus.txt'): open(p, 'w')": "code/walrus.txt",
    "a, (b, c) = 'x', ('y', 'z'); open(c + b + a, 'w')": "code/zyx",
    "from functools import partial; save = partial(open, 'p.txt'); save(mode='w')": "code/p.txt",
}


@pytest.mark.parametrize("code", PATHS, ids=range(len(PATHS)))
def test_path_is_resolved(code: str) -> None:
    assert written(run(code)) == [PATHS[code]]


CALLS = {
    "import numpy as np\nnp.save('a', x)": ("a.npy", "write", "np.save"),
    "import numpy as np\nnp.savez_compressed('a.npz', x=x)": ("a.npz", "write", "np.savez_compressed"),
    "import pandas as pd\ndf = pd.DataFrame(x)\ndf.to_csv('a.csv', index=False)": (
        "a.csv",
        "write",
        "DataFrame.to_csv",
    ),
    "df.groupby('k').mean().to_latex(buf='t.tex')": ("t.tex", "write", "DataFrame.to_latex"),
    "import matplotlib.pyplot as plt\nplt.savefig('f.png', dpi=3)": ("f.png", "write", "savefig"),
    "fig.savefig('f')": ("f.png", "write", "savefig"),
    "sns.heatmap(x).get_figure().savefig('h.pdf')": ("h.pdf", "write", "savefig"),
    "from PIL import Image\nImage.fromarray(x).save('i.png')": ("i.png", "write", "save"),
    "import torch\ntorch.save(model.state_dict(), 'm.pt')": ("m.pt", "write", "torch.save"),
    "import joblib\njoblib.dump(m, 'm.joblib')": ("m.joblib", "write", "joblib.dump"),
    "import h5py\nwith h5py.File('d.h5', 'w') as f: pass": ("d.h5", "write", "h5py.File"),
    "import cv2\ncv2.imwrite('c.jpg', x)": ("c.jpg", "write", "cv2.imwrite"),
    "import logging\nlogging.FileHandler('l.log')": ("l.log", "append", "logging.FileHandler"),
    "import logging\nlogging.basicConfig(filename='l.log')": ("l.log", "append", "logging.basicConfig"),
    "import logging\nlogging.basicConfig(handlers=[logging.StreamHandler(), logging.FileHandler('l.log')])": (
        "l.log",
        "append",
        "logging.FileHandler",
    ),
    "model.save_pretrained('ckpt')": ("ckpt/*", "write", "save_pretrained"),
    "from torch.utils.tensorboard import SummaryWriter\nSummaryWriter(log_dir='tb')": (
        "tb/events.out.tfevents.*",
        "write",
        "torch.utils.tensorboard.SummaryWriter",
    ),
    "import json\nwith open('a.json', 'w') as f:\n    json.dump(x, f)": ("a.json", "write", "json.dump"),
    "import yaml\nyaml.dump(x, open('a.yml', 'w'))": ("a.yml", "write", "yaml.dump"),
    "import csv\nf = open('a.csv', 'w')\nw = csv.writer(f)": ("a.csv", "write", "csv.writer"),
    "import zipfile\nzipfile.ZipFile('z.zip', 'w')": ("z.zip", "write", "zipfile.ZipFile"),
    "import imageio\nimageio.mimsave('g.gif', frames)": ("g.gif", "write", "imageio.mimsave"),
    "with open('a.txt', 'a') as f: print('x', file=f)": ("a.txt", "append", "open"),
    "import sys\nsys.stdout = open('tee.txt', 'w')": ("tee.txt", "write", "open"),
    "import os\nos.makedirs('d/e', exist_ok=True)": ("d/e", "mkdir", "os.makedirs"),
    "from pathlib import Path\nPath('d').mkdir(parents=True)": ("d", "mkdir", "Path.mkdir"),
    "import os\nos.remove('x')": ("x", "delete", "os.remove"),
    "import shutil\nshutil.copyfile('a', 'b')": ("b", "copy", "shutil.copyfile"),
}


@pytest.mark.parametrize("code", CALLS, ids=range(len(CALLS)))
def test_call_that_writes(code: str) -> None:
    pattern, mode, how = CALLS[code]
    (effect,) = run(code, cwd="").writes
    assert (effect.pattern, effect.mode, effect.how, effect.role) == (pattern, mode, how, None)
    assert effect.path == "code/main.py"


READS = {
    "import pandas as pd\npd.read_csv('d.csv')": ("d.csv", Role.DATA),
    "import numpy as np\nnp.load('d.npy')": ("d.npy", Role.DATA),
    "import torch\nmodel.load_state_dict(torch.load('best.pt'))": ("best.pt", Role.CHECKPOINT),
    "import pickle\nwith open('model.pkl', 'rb') as f: model = pickle.load(f)": ("model.pkl", Role.CHECKPOINT),
    "import pickle\nwith open('rows.pkl', 'rb') as f: rows = pickle.load(f)": ("rows.pkl", Role.DATA),
    "import yaml\nwith open('x.yaml') as f: config = yaml.safe_load(f)": ("x.yaml", Role.CONFIG),
    "import json\nargs = json.load(open('training_args.json'))": ("training_args.json", Role.CONFIG),
    "import json\nmetrics = json.load(open('metrics.json'))": ("metrics.json", Role.DATA),
    "text = open('train.log').read()": ("train.log", Role.LOG),
    "exec(open('other.py').read())": ("other.py", Role.CODE),
    "from transformers import AutoModel\nAutoModel.from_pretrained('./ckpt')": ("ckpt/*", Role.CHECKPOINT),
    "import glob\nfor p in glob.glob('res/*.json'): pass": ("res/*.json", Role.DATA),
    "import os\nfor n in os.listdir('res'): pass": ("res/*", Role.DATA),
    "from pathlib import Path\nPath('n.txt').read_text()": ("n.txt", Role.DATA),
    "from PIL import Image\nImage.open('i.png')": ("i.png", Role.DATA),
}


@pytest.mark.parametrize("code", READS, ids=range(len(READS)))
def test_call_that_reads(code: str) -> None:
    (effect,) = run(code, cwd="").reads
    assert (effect.pattern, effect.role) == READS[code]
    assert not run(code, cwd="").writes


def test_line_is_that_of_the_call_expression() -> None:
    effects = run(
        """
        import json
        def save(x, p):
            with open(
                p, 'w'
            ) as f:
                json.dump(x, f)
        save(1, 'a.json')
        (df
         .round(2)).to_csv(
            'b.csv')
        """
    )
    assert [(e.pattern, e.line) for e in effects.writes] == [("code/a.json", 4), ("code/b.csv", 9)]


def test_module_constants_configs_and_wrappers_are_followed() -> None:
    effects = run(
        """
        import config
        from config import RESULTS_DIR, CFG as C
        from lib.io import save_json
        import lib.io as lio
        def main():
            save_json({}, RESULTS_DIR / 'a.json')
            lio.save_json({}, config.RESULTS_DIR / C['name'])
        if __name__ == '__main__':
            main()
        """,
        config="""
        from pathlib import Path
        RESULTS_DIR = Path(__file__).parent.parent / 'results'
        CFG = {'name': 'b.json'}
        """,
        lib__io="""
        import json
        def save_json(obj, path):
            with open(path, 'w') as f:
                json.dump(obj, f)
        if __name__ == '__main__':
            save_json({}, 'never.json')
        """,
    )
    assert [(e.pattern, e.path, e.line, e.how) for e in effects.writes] == [
        ("results/a.json", "code/lib/io.py", 4, "json.dump"),
        ("results/b.json", "code/lib/io.py", 4, "json.dump"),
    ]
    assert effects.modules == ("code/main.py", "code/config.py", "code/lib/io.py")


def test_objects_carry_paths() -> None:
    effects = run(
        """
        import os
        from dataclasses import dataclass, field
        @dataclass
        class Config:
            out: str = 'dflt'
            names: list = field(default_factory=lambda: ['u', 'v'])
            def __post_init__(self):
                self.full = os.path.join('base', self.out)
        class Base:
            def __init__(self, out_dir):
                self.out_dir = out_dir
                os.makedirs(self.out_dir, exist_ok=True)
            @property
            def log(self):
                return os.path.join(self.out_dir, 'log.txt')
            def path(self, name): return f'{self.out_dir}/{name}'
        class Trainer(Base):
            SUFFIX = '.json'
            def __init__(self, cfg):
                super().__init__(cfg.full)
                self.cfg = cfg
            def save(self):
                for n in self.cfg.names:
                    open(self.path(n + self.SUFFIX), 'w')
                open(self.log, 'a')
        Trainer(Config()).save()
        t = Trainer(cfg=Config(out='other', names=['w']))
        t.save()
        """
    )
    assert written(effects) == [
        *("code/base/dflt/u.json", "code/base/dflt/v.json", "code/base/dflt/log.txt"),
        *("code/base/other/w.json", "code/base/other/log.txt"),
    ]


PARSER = """
import argparse
def parse():
    p = argparse.ArgumentParser()
    p.add_argument('data')
    g = p.add_argument_group('g')
    g.add_argument('-o', '--output-dir', default='out')
    g.add_argument('--seed', type=int, default=1)
    p.add_argument('--models', nargs='+', default=['m1', 'm2'])
    p.add_argument('--visualize', action='store_true')
    p.add_argument('--mode', choices=['train', 'test'], default='train')
    return p.parse_args()
args = parse()
open(args.data)
for m in args.models:
    open(f'{args.output_dir}/{m}_{args.seed}.json', 'w')
if args.visualize:
    open('vis.png', 'w')
if args.mode == 'test':
    open('test.json', 'w')
elif args.mode == 'train':
    open('train.json', 'w')
"""


@pytest.mark.parametrize(
    ("argv", "patterns"),
    [
        (("d.csv",), ["out/m1_1.json", "out/m2_1.json", "train.json"]),
        (("d.csv", "--output-dir", "../r", "--seed=3", "--models", "x"), ["../r/x_3.json", "train.json"]),
        (
            ("-o", "q", "d.csv", "--models", "x", "y", "--visualize"),
            ["q/x_1.json", "q/y_1.json", "vis.png", "train.json"],
        ),
        (("-oq", "d.csv", "--mode", "test", "--models=x"), ["q/x_1.json", "test.json"]),
        (("d.csv", "--out", "abbr", "--models", "x", "--unknown", "1"), ["abbr/x_1.json", "train.json"]),
        (("d.csv", "--output-dir", "$HOME/r", "--models", "x"), ["*/x_1.json", "train.json"]),
    ],
)
def test_arguments(argv: tuple[str, ...], patterns: list[str]) -> None:
    effects = run(PARSER, *argv, cwd="")
    assert written(effects) == patterns
    assert read(effects) == ["d.csv"]


def test_other_ways_to_arguments() -> None:
    assert written(run("import sys\nopen(sys.argv[1] if len(sys.argv) > 1 else 'd', 'w')", "x")) == ["code/x"]
    assert written(run("import sys\nopen(sys.argv[1] if len(sys.argv) > 1 else 'd', 'w')")) == ["code/d"]
    click = """
    import click
    @click.command()
    @click.option('--out', default='o')
    @click.option('--fast', is_flag=True)
    def main(out, fast):
        open(out + '/x', 'w')
        if not fast: open('slow', 'w')
    main()
    """
    assert written(run(click, "--out", "p", "--fast", cwd="")) == ["p/x"]
    assert written(run(click, cwd="")) == ["o/x", "slow"]
    sub = """
    import argparse
    p = argparse.ArgumentParser()
    s = p.add_subparsers(dest='cmd')
    t = s.add_parser('train'); t.add_argument('--out', default='t'); t.set_defaults(func=lambda a: open(a.out, 'w'))
    e = s.add_parser('eval'); e.add_argument('--out', default='e')
    e.set_defaults(func=lambda a: open(a.out + '2', 'w'))
    args = p.parse_args()
    args.func(args)
    """
    assert written(run(sub, "eval", "--out", "z", cwd="")) == ["z2"]


def test_arguments_that_are_changed_keep_their_order() -> None:
    effects = run(
        """
        import argparse, os
        p = argparse.ArgumentParser()
        p.add_argument('--out', default='r')
        args = p.parse_args()
        args.out = os.path.join(args.out, 'exp')
        open(args.out + '/a', 'w')
        args.out = args.out + '2'
        open(args.out + '/b', 'w')
        """
    )
    assert written(effects) == ["code/r/exp/a", "code/r/exp2/b"]


def test_loops_over_what_is_known_are_told_apart() -> None:
    effects = run(
        """
        RUNS = {'a': 1, 'b': 2}
        for name, seed in RUNS.items():
            open(f'{name}{seed}', 'w')
        for i, n in enumerate(['x', 'y']):
            open(f'{i}{n}', 'w')
        for a, b in zip('pq', (7, 8)):
            if a == 'q':
                continue
            open(f'{a}{b}', 'w')
        names = [f'{k}.png' for k in RUNS if k != 'b']
        for n in names:
            open(n, 'w')
        for i in range(1000):
            open(f'step_{i}.txt', 'w')
        """,
        cwd="",
    )
    assert written(effects) == ["a1", "b2", "0x", "1y", "p7", "a.png", "step_*.txt"]


def test_what_an_earlier_turn_may_have_set_is_not_forgotten() -> None:
    effects = run(
        """
        best = None
        first = True
        for x in data():
            if first:
                open('header', 'w'); first = False
            else:
                open('row', 'w')
            if x > 1:
                best = x
        if best is not None:
            open('best', 'w')
        """,
        cwd="",
    )
    assert written(effects) == ["header", "row", "best"]


def test_branches_that_are_not_certain_are_both_taken() -> None:
    effects = run(
        """
        import torch
        if torch.cuda.is_available():
            d = 'gpu'
        else:
            d = 'cpu'
        open(d, 'w')
        try:
            import thing
            p = 'with'
        except ImportError:
            p = 'without'
        open(p, 'w')
        if False:
            open('never', 'w')
        def f():
            if unknown(): return 'r1'
            return 'r2'
        open(f(), 'w')
        """,
        cwd="",
    )
    assert sorted(written(effects)) == ["cpu", "gpu", "r1", "r2", "with", "without"]


def test_many_alternatives_are_told_by_what_they_share() -> None:
    code = "x = 'a'\n" + "".join(f"if u({i}): x = 'fig_{i}_z.png'\n" for i in range(40)) + "open(x, 'w')\n"
    (pattern,) = set(written(run(code.replace("x = 'a'", "x = 'fig_a_z.png'"), cwd="")))
    assert pattern == "fig_*_z.png"


def test_functions_handed_to_others_and_functions_only_mentioned_run() -> None:
    effects = run(
        """
        from concurrent.futures import ThreadPoolExecutor
        from torch.utils.data import Dataset
        def work(name, out='o'): open(f'{out}/{name}', 'w')
        def never(): open('never', 'w')
        def by_name(path='given'): open(path, 'w')
        class D(Dataset):
            def __getitem__(self, i): return open(f'data/{i}.bin')
        with ThreadPoolExecutor() as ex:
            ex.submit(work, 'a', 'p')
            ex.map(work, ['b', 'c'])
        table = {'k': by_name}
        table[unknown()](by_name)
        loader = Loader(D())
        """,
        cwd="",
    )
    assert {"p/a", "o/b", "o/c"} <= set(written(effects))
    assert "never" not in written(effects)
    assert read(effects) == ["data/*.bin"]


def test_copies_know_their_source_and_land_in_folders() -> None:
    effects = run(
        """
        import shutil, os
        os.makedirs('../results', exist_ok=True)
        shutil.copy('log.txt', '../results')
        shutil.copy('a.json', '../results/b.json')
        shutil.copytree('figs', '../results/figs')
        os.rename('x', 'y')
        """
    )
    copies = [(e.source, e.pattern) for e in effects.writes if e.mode == "copy"]
    assert copies == [
        ("code/log.txt", "results/log.txt"),
        ("code/a.json", "results/b.json"),
        ("code/figs", "results/figs/*"),
        ("code/x", "code/y"),
    ]
    assert written(effects, "delete") == ["code/x"]


def test_commands_that_it_starts() -> None:
    effects = run(
        """
        import subprocess, sys, os
        for ds in ['a', 'b']:
            subprocess.run([sys.executable, 'train.py', '--data', ds, str(seed)], check=True)
        os.system('cp -r out ' + target)
        subprocess.run(['ls'], cwd='..')
        """
    )
    assert [words for _, _, words in effects.commands] == [
        ("python", "train.py", "--data", "a", "*"),
        ("python", "train.py", "--data", "b", "*"),
        "cp -r out *",
        "cd .. && ls",
    ]
    assert effects.commands[0][:2] == ("code/main.py", 4)


def test_what_comes_from_outside() -> None:
    effects = run(
        """
        from datasets import load_dataset
        from sklearn.datasets import load_iris, make_moons
        from transformers import AutoTokenizer
        import torchvision, openai, requests
        load_dataset('truthful_qa', 'generation')
        load_iris(); make_moons()
        AutoTokenizer.from_pretrained('org/model')
        torchvision.datasets.CIFAR10(root='./data', download=True)
        client = openai.OpenAI()
        requests.get('https://x.org/d.csv')
        """
    )
    assert effects.external == (
        "datasets.load_dataset(truthful_qa, generation)",
        "sklearn.datasets.load_iris()",
        "AutoTokenizer.from_pretrained(org/model)",
        "torchvision.datasets.CIFAR10()",
        "openai.OpenAI()",
        "requests.get(https://x.org/d.csv)",
    )
    assert not effects.reads


def test_absolute_paths_below_the_root_are_made_relative() -> None:
    code = "open('/home/u/proj/results/a', 'w'); open('/home/u/other/b', 'w'); open('../../c', 'w')"
    assert written(run(code, root="/home/u/proj")) == ["results/a", "/home/u/other/b", "/home/u/c"]
    assert written(run(code)) == ["/home/u/proj/results/a", "/home/u/other/b", "../c"]


def test_inline_code_uses_the_modules_of_its_folder() -> None:
    tree = {"code/utils.py": "def save(p):\n    open(p, 'w')\n"}
    effects = script_effects(tree, "code/<inline>", cwd="code", inline="import utils\nutils.save('x.json')")
    assert [(e.pattern, e.path) for e in effects.writes] == [("code/x.json", "code/utils.py")]
    assert effects.modules == ("code/<inline>", "code/utils.py")


def test_decorators_of_the_run_register_and_wrap() -> None:
    effects = run(
        """
        import functools
        steps = {}
        def register(name):
            def decorate(function):
                steps[name] = function
                return function
            return decorate
        def timed(function):
            @functools.wraps(function)
            def wrapper(*args, **kwargs):
                result = function(*args, **kwargs)
                open('time.log', 'a')
                return result
            return wrapper
        @register('a')
        def first(out): open(out + '/a', 'w')
        @register('b')
        @timed
        def second(out): open(out + '/b', 'w')
        for name, step in steps.items():
            step('res')
        """,
        cwd="",
    )
    assert written(effects) == ["res/a", "res/b", "time.log"]


@pytest.mark.parametrize(
    ("name", "reader", "text"),
    [
        (
            "base.yaml",
            "yaml.safe_load",
            "# c\nseed: 42\nout:\n  dir: ../res  # here\nmodels:\n  - a\n  - 'b'\nx: {y: 1}\n",
        ),
        ("base.json", "json.load", '{"seed": 42, "out": {"dir": "../res"}, "models": ["a", "b"]}'),
    ],
)
def test_configuration_files_of_the_run_are_read(name: str, reader: str, text: str) -> None:
    code = f"""
import json, yaml
def load(path):
    with open(path) as f:
        return {reader}(f)
cfg = load('configs/{name}')
for m in cfg['models']:
    open(f"{{cfg['out']['dir']}}/{{m}}_{{cfg['seed']}}", 'w')
open(cfg['missing'], 'w')
"""
    effects = script_effects({"code/main.py": code, f"code/configs/{name}": text}, "code/main.py", cwd="code")
    assert written(effects) == ["res/a_42", "res/b_42", "*"]
    assert [(e.pattern, e.role) for e in effects.reads] == [(f"code/configs/{name}", Role.CONFIG)]


def test_globals_search_paths_and_packages() -> None:
    tree = {
        "scripts/main.py": """
import sys, os
sys.path.append(os.path.join(os.path.dirname(__file__), '..', 'src'))
from helper import setup, save
from pkg.sub import thing
setup('o'); save(); thing()
""",
        "src/helper.py": """
OUT = None
def setup(d):
    global OUT
    OUT = d
def save(): open(OUT + '/x', 'w')
""",
        "src/pkg/__init__.py": "",
        "src/pkg/sub.py": "from .deep import *\nfrom . import other\ndef thing():\n    deep()\n    other.go()\n",
        "src/pkg/deep.py": "def deep(): open('deep', 'w')\n",
        "src/pkg/other.py": "def go(): open('other', 'w')\n",
    }
    effects = script_effects(tree, "scripts/main.py")
    assert written(effects) == ["o/x", "deep", "other"]
    assert set(effects.modules) == set(tree)


def test_a_module_that_does_not_parse_hides_nothing_else() -> None:
    effects = run("import broken\nbroken.go()\nopen('x', 'w')", broken="def (")
    assert written(effects) == ["code/x"]


def test_signature_as_command_line() -> None:
    code = "import typer\ndef main(out: str = 'o', n: int = 3):\n    open(f'{out}/{n}', 'w')\ntyper.run(main)\n"
    assert written(run(code, "--out", "z", cwd="")) == ["z/3"]


def test_standard_output_through_a_tee() -> None:
    code = """
    import sys
    class Tee:
        def __init__(self, path): self.file = open(path, 'a')
        def write(self, s): self.file.write(s)
    sys.stdout = Tee('run.log')
    """
    assert [(e.pattern, e.mode) for e in run(code, cwd="").writes] == [("run.log", "append")]


def test_no_file_is_made_up() -> None:
    code = """
    import io, sys, pandas as pd, numpy as np
    buf = io.BytesIO()
    np.save(buf, x); df.to_csv(sys.stdout); text = df.to_csv(); d.save(); model.dump(x)
    with open('a.csv', 'w') as f:
        df.to_csv(f)
    s = 'a'.replace('a', 'b')
    """
    assert written(run(code, cwd="")) == ["a.csv"]


HOSTILE = {
    "no python": "x = = 1",
    "binary": "\x00\x01\x02",
    "surrogate": "open('\\ud800', 'w')",
    "cyclic": "from main import x\nimport main\nopen('a', 'w')",
    "recursion": "def f(p):\n    open(p, 'w')\n    f(p + 'x')\nf('a')",
    "self reference": "x = x + 'a'\nd = {}\nd['a'] = d\nopen(d['a']['a'], 'w')\nl = []\nl.append(l)\nopen(l[0], 'w')",
    "deep sum": "open('a'" + " + 'b'" * 3000 + ", 'w')",
    "deep chain": "x = 'a'\n" + "x = x + 'b'\n" * 5000 + "open(x, 'w')",
    "deep call": "open(" + "f(" * 90 + "'a'" + ")" * 90 + ", 'w')",
    "bombs": "open('a' * 10**12, 'w'); open(f'{1:999999999d}', 'w'); open('%999999999d' % 1, 'w')",
    "powers": "x = 10 ** 10 ** 10; open(f'{x}', 'w'); open(str(9999999999 * 9999999999 * 9999999999), 'w')",
    "format": "open('{0.__class__}{1[x]}{'.format(1), 'w'); open('{:{}}'.format(1, 2), 'w'); open('{9999}'.format(1))",
    "odd classes": "class A(A): pass\nclass B(B2): x = B()\nB2 = B\nA().save('x.txt')\nsuper().x()",
    "odd calls": "open(); open(*x, **y); open(mode='w'); np.save(); print(file=1)(2)[3]; (lambda: open('z', 'w'))()",
    "inherits itself": "class A: pass\nclass B(A): pass\nA.__bases__ = (B,)\nB().save()",
    "match": "match x:\n    case {'a': p}:\n        open(p, 'w')",
    "generator": "def g():\n    yield 'a'\n    yield from g()\nfor p in g(): open(p, 'w')",
    "argparse": "from argparse import *\np = ArgumentParser()\np.add_argument()\np.add_argument('')\np.parse_args()",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_sources_end_quietly(name: str) -> None:
    effects = run(HOSTILE[name], "--x", "-", "--", "")
    assert isinstance(effects, ScriptEffects)


def test_work_is_bounded() -> None:
    loops = "".join(" " * i + f"for v{i} in range(16):\n" for i in range(9))
    calls = "\n".join(f"def f{i}(p):\n    f{i + 1}(p + '0'); f{i + 1}(p + '1')" for i in range(20))
    comps = "x = [a for a in range(16) for b in range(16) for c in range(16) for d in range(16) for e in range(16)]"
    last = "open(str(x[0]), 'w')\nopen('end', 'w')"
    code = f"{calls}\ndef f20(p): open(p, 'w')\n{loops}{' ' * 9}f0(str(v0))\n{comps}\n{last}"
    effects = run(code)
    assert effects.writes


def test_a_run_of_ten_thousand_lines_is_fast_once_parsed() -> None:
    body = "".join(
        f"""
def work_{i}(model, data, out_dir, name='n{i}'):
    losses = []
    for epoch in range(20):
        for batch in data:
            loss = model(batch['x'], batch['y']).mean() * 0.5
            loss.backward()
            losses.append(loss.item())
        print(f"epoch {{epoch}} loss {{np.mean(losses):.4f}}")
    result = {{'loss': float(np.mean(losses)), 'std': float(np.std(losses))}}
    with open(os.path.join(out_dir, f'{{name}}_{i}.json'), 'w') as f:
        json.dump(result, f)
    return result
"""
        for i in range(70)
    )
    modules = {f"m{k}": f"import os, json\nimport numpy as np\n{body}" for k in range(10)}
    calls = "\n".join(
        f"import m{k}\nfor w in range(1): m{k}.work_{i}(model, data, 'out')" for k in range(10) for i in range(70)
    )
    run(calls, **modules)
    effects = run(calls, **modules)
    assert len(set(written(effects))) == 70
    assert len(effects.writes) == 700


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("a/b.json", "a/b.json", True),
        ("a/b.json", "a/c.json", False),
        ("a/*.json", "a/b.json", True),
        ("a/*.json", "a/b/c.json", False),
        ("a/*/c.json", "a/b/c.json", True),
        ("a/*/c.json", "a/b/d/c.json", True),
        ("a/*/c.json", "a/c.json", False),
        ("*/c.json", "c.json", True),
        ("*/c.json", "a/b/c.json", True),
        ("*/c.json", "ac.json", False),
        ("*_c.json", "x/y_c.json", True),
        ("a/*", "a/b/c", True),
        ("a/x*y*z", "a/x1y2z", True),
        ("a/x*y*z", "a/x1y2", False),
        ("/tmp/*.txt", "/tmp/a.txt", True),
        ("/tmp/*.txt", "a.txt", False),
        ("*", "anything/at all", True),
    ],
)
def test_match_effect(pattern: str, path: str, matches: bool) -> None:
    assert match_effect(pattern, path) is matches


def test_literal_weight() -> None:
    assert [literal_weight(p) for p in ("*", "*/*", "a/*", "a/*.png", "a/b.json", "a/fig_*_*.png")] == [
        0,
        0,
        0,
        4,
        6,
        9,
    ]


def test_matching_is_not_exponential() -> None:
    assert not match_effect("x/" + "*a" * 200 + "b", "x/" + "a" * 400)
    assert not match_effect("*/" * 500 + "b", "a/" * 500)


pieces = st.text(st.sampled_from("ab_."), min_size=1, max_size=4).filter(lambda t: set(t) != {"."})
paths = st.lists(pieces, min_size=1, max_size=4).map("/".join)


@given(paths)
def test_a_literal_path_matches_itself_and_is_found(path: str) -> None:
    assert match_effect(path, path)
    assert match_effect("*", path)
    effects = run(f"open({path!r}, 'w')", cwd="")
    assert [e.pattern for e in effects.writes] == [path]
    assert literal_weight(path) == len(path.rpartition("/")[2])


@given(paths, st.data())
def test_blanking_a_part_of_a_base_name_still_matches(path: str, data: st.DataObject) -> None:
    start = path.rfind("/") + 1
    at = data.draw(st.integers(start, len(path) - 1))
    end = data.draw(st.integers(at + 1, len(path)))
    assert match_effect(path[:at] + "*" + path[end:], path)


@given(st.text(max_size=60))
def test_any_text_is_survived(text: str) -> None:
    assert isinstance(script_effects({"a.py": text}, "a.py"), ScriptEffects)


@given(st.text(alphabet="abc*/.", max_size=12), st.text(alphabet="abc/.", max_size=12))
def test_match_is_total(pattern: str, path: str) -> None:
    assert match_effect(pattern, path) in (True, False)


def test_unknown_script_has_no_effects() -> None:
    assert script_effects({}, "a.py") == ScriptEffects((), (), (), (), ())
    assert FileEffect("a", "write", "open", "b", 1, None).source is None
