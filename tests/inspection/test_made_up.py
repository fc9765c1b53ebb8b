"""Each way of making results up, beside an honest script of the same shape that must not be taken for it."""

import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provchain.inspection.made_up import ValueOrigins, value_origins

INVENTED = {
    "literal dictionary": """
        import json
        results = {"ours": {"f1": 0.91}, "baseline": {"f1": 0.84}}
        with open("results.json", "w") as f:
            json.dump(results, f, indent=2)
        """,
    "constants and noise for each method": """
        import json, random
        BASE = {"ours": 0.9, "baseline": 0.8}
        random.seed(42)
        rows = []
        for name in ["ours", "baseline"]:
            score = BASE[name] + random.gauss(0, 0.01)
            rows.append({"name": name, "score": round(score, 3)})
        json.dump(rows, open("rows.json", "w"))
        """,
    "learning curve from a formula": """
        import numpy as np
        import matplotlib.pyplot as plt
        epochs = np.arange(1, 51)
        loss = 2.0 * np.exp(-epochs / 10) + 0.05 * np.random.randn(50)
        fig, axes = plt.subplots(1, 2)
        axes[0].plot(epochs, loss)
        axes[1].plot(epochs, np.linspace(0.5, 0.9, 50))
        plt.savefig("loss.png")
        """,
    "a report of hard-coded sentences": """
        def write_report(path):
            with open(path, "w") as f:
                f.write("# Results\\n")
                f.write("Our method reaches 87.3% accuracy, 4.2 points above the baseline.\\n")
        if __name__ == "__main__":
            write_report("results.md")
        """,
    "passed through a class": """
        import json
        from dataclasses import dataclass, field, asdict
        @dataclass
        class Result:
            name: str
            accuracy: float = 0.0
            notes: list = field(default_factory=list)
            def to_dict(self):
                return {"name": self.name, "accuracy": self.accuracy}
        class Evaluator:
            def __init__(self, quality):
                self.quality = quality
                self.history = []
            def evaluate(self, name):
                result = Result(name, self.quality - 0.02)
                self.history.append(result)
                return result
        class Strong(Evaluator):
            def __init__(self):
                super().__init__(0.93)
        e = Strong()
        e.evaluate("a")
        with open("out.json", "w") as f:
            json.dump([r.to_dict() for r in e.history] + [asdict(r) for r in e.history], f)
        """,
    "a condition on files does not ground a value": """
        import json, os
        accuracy = 0.9
        if os.path.exists("model.pt"):
            accuracy = 0.95
        json.dump({"accuracy": accuracy}, open("r.json", "w"))
        """,
    "a configuration that picks branches and sizes": """
        import json, yaml
        import numpy as np
        config = yaml.safe_load(open("config.yaml"))
        n = config["runs"]
        base = 0.8
        if config["strong"]:
            base = 0.9
        scores = [base + np.random.normal(0, 0.01) for _ in range(n)]
        more = np.random.rand(n)
        json.dump({"mean": float(np.mean(scores)), "more": more.tolist()}, open("r.json", "w"))
        """,
    "a data frame of constants": """
        import pandas as pd
        df = pd.DataFrame({"method": ["ours", "base"], "f1": [0.91, 0.84]})
        df["gain"] = df["f1"] - 0.84
        summary = df.groupby("method").mean().reset_index()
        summary.to_csv("summary.csv", index=False)
        print(summary.to_string())
        """,
    "random scores for items of a real data set": """
        import json, random
        data = json.load(open("questions.json"))
        scores = []
        for item in data:
            scores.append(random.uniform(0.7, 0.9))
        json.dump({"accuracy": max(scores)}, open("r.json", "w"))
        """,
    "a model that is built and never used": """
        import json, torch
        import torch.nn as nn
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = nn.Linear(3, 1)
            def forward(self, x):
                return self.layer(x)
        model = Net()
        torch.manual_seed(0)
        json.dump({"accuracy": 0.912}, open("r.json", "w"))
        """,
    "time stamps and a duration beside": """
        import json, logging, time
        from datetime import datetime
        logging.basicConfig(level=logging.INFO)
        logger = logging.getLogger(__name__)
        start = time.time()
        results = {"when": datetime.now().isoformat(), "f1": 0.88}
        with open("r.json", "w") as f:
            json.dump(results, f)
        logger.info(f"finished in {time.time() - start:.1f}s")
        """,
    "a simulation": """
        import numpy as np
        class Agent:
            def __init__(self, rng):
                self.rng = rng
                self.values = rng.rand(4)
            def step(self):
                self.values = 0.9 * self.values + 0.1 * self.rng.normal(size=4)
                return float(np.mean(self.values))
        rng = np.random.RandomState(0)
        agent = Agent(rng)
        trace = [agent.step() for _ in range(100)]
        np.savetxt("trace.csv", trace)
        """,
    "a typed log": """
        lines = ["Epoch 1, loss 2.31", f"Epoch 2, loss {1.87:.2f}"]
        with open("log.txt", "w") as f:
            f.write("\\n".join(lines))
        """,
    "closures, lambdas and decorators": """
        import json, functools
        def rounded(f):
            @functools.wraps(f)
            def wrapper(*args, **kwargs):
                return round(f(*args, **kwargs), 3)
            return wrapper
        @rounded
        def score(name, bonus=0.0):
            return 0.8123 + bonus
        table = {name: (lambda n: score(n, bonus=0.02))(name) for name in ("a", "b")}
        json.dump(table, open("t.json", "w"))
        """,
    "metrics of random labels": """
        import json
        import numpy as np
        from sklearn.metrics import accuracy_score
        y = np.random.randint(0, 2, 100)
        p = np.where(np.random.rand(100) < 0.87, y, 1 - y)
        json.dump({"accuracy": accuracy_score(y, p)}, open("r.json", "w"))
        """,
}

HONEST = {
    "a dictionary filled from a model": """
        import json
        from sklearn.datasets import load_iris
        from sklearn.linear_model import LogisticRegression
        from sklearn.model_selection import train_test_split
        results = {"ours": {"accuracy": 0.0}}
        X, y = load_iris(return_X_y=True)
        a, b, c, d = train_test_split(X, y, test_size=0.2, random_state=42)
        model = LogisticRegression(C=0.5)
        model.fit(a, c)
        results["ours"]["accuracy"] = model.score(b, d)
        json.dump(results, open("results.json", "w"))
        """,
    "a synthetic data set that a model is trained on": """
        import json
        import numpy as np
        from sklearn.ensemble import RandomForestClassifier
        rng = np.random.default_rng(0)
        X = rng.normal(size=(200, 5))
        y = (X[:, 0] > 0.3).astype(int)
        model = RandomForestClassifier(n_estimators=10).fit(X[:150], y[:150])
        accuracy = float((model.predict(X[150:]) == y[150:]).mean())
        json.dump({"accuracy": accuracy, "seed": 0}, open("r.json", "w"))
        """,
    "a network trained on random numbers": """
        import torch, torch.nn as nn
        import matplotlib.pyplot as plt
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = nn.Linear(3, 1)
            def forward(self, x):
                return torch.sigmoid(self.layer(x))
        model = Net().to("cpu")
        optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
        losses = []
        for epoch in range(10):
            x = torch.randn(8, 3)
            loss = ((model(x) - 0.5) ** 2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        plt.plot(range(10), losses)
        plt.savefig("loss.png")
        """,
    "plain tensors trained by hand": """
        import json, torch
        w = torch.zeros(3, requires_grad=True)
        for _ in range(10):
            x = torch.randn(8, 3)
            loss = ((x @ w - 1.0) ** 2).mean()
            loss.backward()
            with torch.no_grad():
                w -= 0.1 * w.grad
        json.dump(w.tolist(), open("w.json", "w"))
        """,
    "counting right answers": """
        import json, csv
        correct = 0
        total = 0
        for row in csv.DictReader(open("predictions.csv")):
            total += 1
            if row["predicted"] == row["label"]:
                correct += 1
        json.dump({"correct": correct}, open("r.json", "w"))
        """,
    "counting the answers of a model": """
        import json, openai
        client = openai.OpenAI()
        QUESTIONS = [("1+1?", "2"), ("2+2?", "4")]
        passed = 0
        for question, answer in QUESTIONS:
            reply = client.chat.completions.create(model="m", messages=[{"role": "user", "content": question}])
            if answer not in reply.choices[0].message.content:
                continue
            passed += 1
        json.dump({"accuracy": passed / len(QUESTIONS)}, open("r.json", "w"))
        """,
    "verdicts by threshold": """
        import json
        import pandas as pd
        df = pd.read_csv("scores.csv")
        labels = []
        for value in df["score"]:
            if value > 0.5:
                labels.append(1)
            else:
                labels.append(0)
        json.dump(labels, open("labels.json", "w"))
        """,
    "a parsed log": """
        import re, json
        losses = []
        with open("train.log") as f:
            for line in f:
                m = re.search(r"loss=([0-9.]+)", line)
                if m:
                    losses.append(float(m.group(1)))
        json.dump({"final": losses[-1], "best": min(losses)}, open("summary.json", "w"))
        """,
    "a subprocess": """
        import subprocess
        out = subprocess.run(["./bench", "--n", "10"], capture_output=True, text=True)
        with open("report.txt", "w") as f:
            f.write("score: " + out.stdout.strip())
        """,
    "a default in except": """
        import json
        def load():
            try:
                with open("metrics.json") as f:
                    return json.load(f)["f1"]
            except Exception:
                return 0.5
        json.dump({"f1": load()}, open("r.json", "w"))
        """,
    "timings": """
        import json, time
        def work(n):
            return sum(i * i for i in range(n))
        times = {}
        for n in [1000, 10000]:
            t0 = time.perf_counter()
            work(n)
            times[n] = time.perf_counter() - t0
        json.dump(times, open("times.json", "w"))
        """,
    "a data set class and a loader": """
        import json, torch
        from torch.utils.data import Dataset, DataLoader
        class Pairs(Dataset):
            def __init__(self, path):
                self.rows = json.load(open(path))
            def __len__(self):
                return len(self.rows)
            def __getitem__(self, i):
                return self.rows[i]["x"], self.rows[i]["y"]
        total = 0.0
        for x, y in DataLoader(Pairs("d.json"), batch_size=4):
            total += float((x - y).abs().sum())
        json.dump({"error": total}, open("r.json", "w"))
        """,
    "work in a pool": """
        import json
        from multiprocessing import Pool
        def evaluate(path):
            with open(path) as f:
                return len(f.read())
        with Pool(4) as pool:
            sizes = pool.map(evaluate, ["a.txt", "b.txt"])
        json.dump(sizes, open("sizes.json", "w"))
        """,
    "a trainer of a library": """
        from transformers import AutoModelForSequenceClassification, Trainer, TrainingArguments
        from datasets import load_dataset
        data = load_dataset("imdb")
        model = AutoModelForSequenceClassification.from_pretrained("bert-base-uncased")
        trainer = Trainer(model=model, args=TrainingArguments("out", learning_rate=2e-5), train_dataset=data["train"])
        trainer.train()
        with open("results.md", "w") as f:
            f.write(f"accuracy {trainer.evaluate()['eval_accuracy']:.3f}")
        """,
    "names picked by a prediction": """
        import json, joblib
        import numpy as np
        model = joblib.load("model.joblib")
        names = ["cat", "dog"]
        best = model.predict(np.zeros((1, 4)))[0]
        json.dump({"answer": names[int(best)]}, open("r.json", "w"))
        """,
}


def study(source: str, script: str = "code/main.py", **others: str) -> ValueOrigins:
    tree = {f"code/{name}.py": textwrap.dedent(text) for name, text in others.items()}
    tree[script] = textwrap.dedent(source)
    return value_origins(tree, script)


@pytest.mark.parametrize("source", INVENTED.values(), ids=INVENTED.keys())
def test_invented_values_are_seen(source):
    found = study(source)
    assert found.made_up is True
    assert found.evidence


@pytest.mark.parametrize("source", HONEST.values(), ids=HONEST.keys())
def test_honest_scripts_of_the_same_shape_are_left_alone(source):
    found = study(source)
    assert found.made_up is False
    assert any(sink.grounded for sink in found.sinks)


# each of these writes values that rest on something real in a way that is easy to miss
EASILY_MISSED = {
    "lines of the standard input": "import sys\ntotal = 0.0\nfor line in sys.stdin: total += float(line)\nsave({'t': total})",
    "data of a library that is not known": "from somelib import RESULTS\nsave(RESULTS)",
    "an attribute of an unknown library in a formula": "import somelib\nsave({'a': 0.5 * somelib.SCORE + 0.1})",
    "word counts": (
        "counts = {}\nfor line in open('a.txt'):\n    for word in line.split():\n"
        "        counts[word] = counts.get(word, 0) + 1\nsave(counts)"
    ),
    "word counts in a default dictionary": (
        "from collections import defaultdict\ncounts = defaultdict(int)\nfor line in open('a.txt'):\n"
        "    if len(line) > 3:\n        counts[line.strip()] += 1\nsave(counts)"
    ),
    "a counter": "from collections import Counter\nsave(Counter(open('a.txt').read().split()).most_common(3))",
    "a sum over lines": "save({'lines': sum(1 for line in open('a.txt'))})",
    "matching pairs": "a, b = open('a').readlines(), open('b').readlines()\nsave(sum(x == y for x, y in zip(a, b)))",
    "length of a filter": "rows = open('a').readlines()\nsave({'n': len([r for r in rows if r.startswith('x')])})",
    "the best by a real score": (
        "s = {'a': float(open('a').read()), 'b': float(open('b').read())}\nsave({'best': max(s, key=s.get)})"
    ),
    "records of tensorflow": "import tensorflow as tf\nds = tf.data.TFRecordDataset('a.tfrecord')\nsave([x.numpy() for x in ds])",
    "a named graph": "import networkx as nx\nsave(nx.density(nx.karate_club_graph()))",
    "a data set of statsmodels": "import statsmodels.api as sm\nsave(sm.datasets.get_rdataset('mtcars').data.mean().to_dict())",
    "a hub data set": "from datasets import Dataset\nsave(len(Dataset.from_csv('a.csv')))",
    "a path's text": "from pathlib import Path\nd = Path('x') / 'y'\nsave([p.read_text() for p in d.glob('*.txt')])",
    "a file size": "import os\nsave({'bytes': os.path.getsize('model.bin'), 'b': os.stat('x').st_size})",
    "a pickled object": "import pickle\nwith open('x.pkl', 'rb') as f:\n    x = pickle.load(f)\nsave(x)",
    "a loader given a file from elsewhere": "def get(f=None): return json.load(f)\nsave(get())",
    "passed tests": (
        "import subprocess\npassed = failed = 0\nfor t in ['a', 'b']:\n    try:\n        subprocess.run([t], check=True)\n"
        "        passed += 1\n    except Exception:\n        failed += 1\nsave({'passed': passed})"
    ),
    "an answer by a function": (
        "import requests\ndef ok(u):\n    try:\n        requests.get(u)\n        return True\n    except Exception:\n"
        "        return False\nn = 0\nfor u in ['http://a', 'http://b']:\n    if ok(u):\n        n += 1\nsave({'n': n})"
    ),
    "early stopping": (
        "losses = [float(x) for x in open('l')]\nbest, at = 9e9, 0\nfor i, x in enumerate(losses):\n    if x < best:\n"
        "        best, at = x, i\nsave({'epoch': at})"
    ),
    "a tracker object": (
        "class Tracker:\n    def __init__(self):\n        self.right = self.all = 0\n    def update(self, row):\n"
        "        self.all += 1\n        if row[0] == row[1]:\n            self.right += 1\n    def rate(self):\n"
        "        return self.right / max(self.all, 1)\nt = Tracker()\nfor line in open('p.csv'):\n"
        "    t.update(line.split(','))\nsave({'accuracy': t.rate()})"
    ),
    "a global that a function fills": (
        "SCORES = {}\nbest = 0.0\ndef measure():\n    global best\n    best = float(open('s').read())\n"
        "    SCORES['a'] = best\nmeasure()\nsave([SCORES, best])"
    ),
    "a closure that collects": (
        "def collector():\n    total = 0.0\n    def add(x):\n        nonlocal total\n        total += x\n    def get(): return total\n"
        "    return add, get\nadd, get = collector()\nadd(float(open('a').read()))\nsave(get())"
    ),
    "attributes set by name": "class R: pass\nr = R()\nsetattr(r, 'score', float(open('a').read()))\nsave(r.score)",
    "an application that registers its commands": (
        "import typer\napp = typer.Typer()\n@app.command()\ndef main(path: str = 'a'):\n    save(open(path).read())\napp()"
    ),
    "asynchronous questions": (
        "import asyncio, httpx\nasync def ask(c):\n    r = await c.get('http://a')\n    return r.json()\n"
        "async def main():\n    async with httpx.AsyncClient() as c:\n        return await asyncio.gather(*[ask(c) for _ in range(3)])\n"
        "save(asyncio.run(main()))"
    ),
    "a thread that fills a queue": (
        "import queue, threading\nq = queue.Queue()\ndef work(path):\n    q.put(float(open(path).read()))\n"
        "t = threading.Thread(target=work, args=('a',))\nt.start(); t.join()\nsave(q.get())"
    ),
    "a generator": "def rows():\n    with open('a') as f:\n        yield from f\nsave([float(r) for r in rows()])",
    "a partial function": "from functools import partial\ndef f(path, k): return float(open(path).read()) * k\nsave(partial(f, 'a')(2))",
    "a data base": "import sqlite3\nc = sqlite3.connect('a.db')\nsave(c.execute('select avg(x) from t').fetchone()[0])",
    "a session of tensorflow": (
        "import tensorflow.compat.v1 as tf\ns = tf.Session()\nsave(float(s.run(tf.constant(1.0))))"
    ),
    "a query of a web page": "import urllib.request\nsave(len(urllib.request.urlopen('http://a').read()))",
    "in-place numpy": "import numpy as np\na = np.zeros(3)\nb = a\nb[0] = np.loadtxt('x')[0]\nsave(a.tolist())",
    "a match statement": (
        "n = {'yes': 0, 'no': 0}\nfor line in open('a'):\n    match line.strip():\n        case 'y':\n            n['yes'] += 1\n"
        "        case _:\n            n['no'] += 1\nsave(n)"
    ),
}


@pytest.mark.parametrize("source", EASILY_MISSED.values(), ids=EASILY_MISSED.keys())
def test_what_rests_on_something_real_is_never_called_made_up(source):
    helper = "import json\ndef save(x):\n    with open('r.json', 'w') as f:\n        json.dump(x, f)\n"
    found = value_origins({"a.py": helper + source}, "a.py")
    assert [sink.grounded for sink in found.sinks if sink.how == "open"] in ([True], [None])
    assert found.made_up is not True


def sink_of(found: ValueOrigins, line: int, path: str = "code/main.py"):
    return [sink for sink in found.sinks if (sink.path, sink.line) == (path, line)]


def test_a_helper_keeps_real_and_made_up_values_apart():
    found = study(
        """\
        import json
        import pandas as pd
        from report import save
        real = {"f1": pd.read_csv("scores.csv")["f1"].mean()}
        fake = {"f1": 0.93}
        save(real, "real.json")
        save(fake, "fake.json")
        """,
        report="""\
        import json
        def save(values, path):
            with open(path, "w") as f:
                json.dump(values, f)
        """,
    )
    assert {sink.grounded for sink in sink_of(found, 3, "code/report.py")} == {True, False}
    assert found.made_up is False


def test_real_and_mocked_paths_are_told_apart_by_sink():
    found = study(
        """\
        import numpy as np
        import matplotlib.pyplot as plt
        data = np.load("measured.npy")
        plt.figure()
        plt.plot(data)
        plt.savefig("real.png")
        plt.figure()
        plt.plot([0.1, 0.5, 0.9])
        plt.savefig("typed.png")
        """
    )
    assert [sink_of(found, 6)[0].grounded, sink_of(found, 9)[0].grounded] == [True, False]


def test_sinks_stand_where_the_file_is_opened():
    found = study(
        "import json\nx = {'a': 0.5}\nwith open('a.json', 'w') as f:\n    json.dump(\n        x, f)\nprint(x)\n"
    )
    assert [(sink.line, sink.how) for sink in found.sinks] == [(3, "open"), (6, "print")]


def test_the_origin_of_a_read_value_is_named():
    found = study("import json\nd = json.load(open('in.json'))\njson.dump(d, open('out.json', 'w'))\n")
    assert [(o.kind, o.line, o.text) for o in found.sinks[0].origins] == [("read", 2, "open('in.json')")]


def test_a_default_in_except_is_reported_as_evidence():
    found = study(HONEST["a default in except"])
    assert ("literal", "0.5") in {(origin.kind, origin.text) for origin in found.evidence}


def test_a_count_is_no_more_than_a_measurement():
    found = study("import json\nd = json.load(open('in.json'))\njson.dump({'n': len(d)}, open('n.json', 'w'))\n")
    assert [origin.kind for origin in found.sinks[0].origins] == ["measured"]


def test_inline_code_is_followed_through_the_modules_of_the_run():
    tree = {
        "code/utils.py": textwrap.dedent(
            """\
            import json
            def write_report(results, path):
                with open(path, "w") as f:
                    f.write(f"Success rate: {results['rate']}")
            """
        )
    }
    code = "import utils; results = {'rate': 0.85}; utils.write_report(results, 'results.md')"
    found = value_origins(tree, "code/-c", inline=code)
    assert found.made_up is True
    assert [(sink.path, sink.line) for sink in found.sinks] == [("code/utils.py", 3)]
    assert value_origins(tree, "code/utils.py", inline=code).made_up is True


def test_packages_relative_imports_and_stars_are_followed():
    tree = {
        "code/main.py": "from lib import *\nfrom lib.sub import numbers as n\nimport lib.sub.deep as deep\nsave(n.best() + deep.MORE)\n",
        "code/lib/__init__.py": "from .writing import save\n",
        "code/lib/writing.py": "def save(x):\n    open('r.txt', 'w').write(str(x))\n",
        "code/lib/sub/__init__.py": "",
        "code/lib/sub/numbers.py": "from .deep import MORE\ndef best():\n    return MORE * 2\n",
        "code/lib/sub/deep.py": "MORE = 0.45\n",
    }
    found = value_origins(tree, "code/main.py")
    assert found.made_up is True
    assert [(origin.path, origin.text) for origin in found.evidence][:1] == [("code/lib/sub/deep.py", "0.45")]


@pytest.mark.parametrize(
    "source",
    [
        "import json, somelib\njson.dump(somelib.run(0.5), open('r.json', 'w'))",
        "import json\nexec(open('x.py').read())\njson.dump({'a': 0.5}, open('r.json', 'w'))",
        "import json\njson.dump(compute(0.5), open('r.json', 'w'))",
        "import json\nfrom missing.module import compute\njson.dump(compute(), open('r.json', 'w'))",
        "import json, importlib\nm = importlib.import_module(name)\njson.dump(m.score(), open('r.json', 'w'))",
        "import json, subprocess\nsubprocess.run(['python', 'train.py'])\njson.dump({'a': 0.5}, open('r.json', 'w'))",
        "import json\nclass A:\n    pass\na = A()\njson.dump(a.score, open('r.json', 'w'))",
    ],
)
def test_what_cannot_be_seen_is_not_called_made_up(source):
    assert value_origins({"a.py": source}, "a.py").made_up is None


def test_a_file_command_does_not_hide_what_was_typed():
    source = "import json, os\nos.system('mkdir -p out')\njson.dump({'a': 0.5}, open('out/r.json', 'w'))"
    assert value_origins({"a.py": source}, "a.py").made_up is True


def test_an_odd_script_gets_no_answer():
    assert value_origins({}, "a.py") == ValueOrigins()
    assert value_origins({"a.py": "x = = 1"}, "a.py") == ValueOrigins()
    assert value_origins({"a.py": "\x00\ud800"}, "a.py") == ValueOrigins()
    assert value_origins({"a.py": "x = 1"}, "a.py").made_up is False


@pytest.mark.parametrize(
    "source",
    [
        "x = " + "+".join(["1"] * 3000),
        "x = " + "(" * 90 + "1" + ")" * 90,
        "x = " + "[" * 90 + "1" + "]" * 90,
        "if a:\n  b = 1\n" + "".join(f"elif a == {i}:\n  b = {i}\n" for i in range(900)),
        "x = 1\n" + "".join(f"def f{i}(a):\n    return f{i + 1}(a)\n" for i in range(300)) + "f0(x)\n",
        "def f(n):\n    return f(n - 1) + f([n])\nprint(f(3))",
        "def f(g):\n    return lambda h: f(lambda: h(g))\nx = f(f)(f)(f)\nprint(x(x))",
        "class A(A): pass\nclass B(A): pass\nclass A(B): pass\nA().x.y()",
        "x = []\nx.append(x)\nprint(x)\nd = {}\nd['d'] = d\nfor a in d: d = d[a]\nprint(d)",
        "import a\nimport b\nprint(a.a.b)",
        "f = 'x'." + ".".join(["format()"] * 400),
        "while True:\n  pass\n  break\nelse:\n  print(1)",
    ],
)
def test_deep_and_circular_programs_end(source):
    value_origins({"a.py": source, "b.py": "import a\nfrom a import *"}, "a.py")


def test_large_scripts_stay_affordable():
    body = INVENTED["constants and noise for each method"]
    functions = "\n".join(f"def part{i}():\n" + textwrap.indent(textwrap.dedent(body), "    ") for i in range(100))
    source = functions + "\n" + "\n".join(f"part{i}()" for i in range(100))
    found = value_origins({"a.py": source}, "a.py")
    assert found.made_up is True


def test_a_web_of_classes_is_given_up_in_time_and_called_nothing():
    source = "\n".join(
        f"class C{i}({f'C{i - 1}' if i else 'object'}):\n    def __init__(self, a):\n        self.a = a\n"
        f"        self.b = [C{i * 7 % 80}, a]\n    def f(self, x):\n"
        f"        return self.b[0](x).f(self) + C{i * 3 % 80}(x).f(self.a)"
        for i in range(80)
    )
    found = value_origins({"a.py": source + "\nprint(C3(1).f(2))"}, "a.py")
    assert found.made_up is None


def test_the_same_sources_give_the_same_answer():
    source = textwrap.dedent(HONEST["a network trained on random numbers"])
    assert value_origins({"a.py": source}, "a.py") == value_origins({"a.py": source}, "a.py")


WORDS = st.sampled_from(
    [
        "x",
        "y",
        "f(x)",
        "open('a')",
        "0.5",
        "[x]",
        "{'a': y}",
        "x['a']",
        "x.a",
        "lambda: y",
        "random.random()",
        "(x, y)",
        "[i for i in x]",
    ]
)
LINES = st.one_of(
    st.builds("{0} = {1}".format, st.sampled_from(["x", "y", "x.a", "x['a']", "x, y", "*x, y"]), WORDS),
    st.builds("for x in {0}: y = {1}".format, WORDS, WORDS),
    st.builds("def f(x, y={0}): return {1}".format, WORDS, WORDS),
    st.builds("x += {0}".format, WORDS),
    st.builds("if {0}: x = {1}".format, WORDS, WORDS),
    st.builds("print({0})".format, WORDS),
    st.builds("x.append({0})".format, WORDS),
    st.just("import random"),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(LINES, max_size=14))
def test_any_program_gets_an_answer(lines):
    found = value_origins({"a.py": "\n".join(lines)}, "a.py")
    assert found.made_up in (True, False, None)
    assert all(origin.kind not in ("item", "clock") for sink in found.sinks for origin in sink.origins)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(sorted(INVENTED)))
def test_reading_one_more_value_grounds_what_is_written(name):
    source = textwrap.dedent(INVENTED[name]) + "\nopen('more.txt', 'w').write(open('real.txt').read())\n"
    assert value_origins({"a.py": source}, "a.py").made_up is False
