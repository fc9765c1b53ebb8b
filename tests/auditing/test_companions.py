"""What evidence shows beside what decided: the data behind a manuscript, a figure, a setting or a made-up value."""

from __future__ import annotations

import json
from pathlib import Path

import provchain

from .traces import messages_of, ran, written

TRAIN = "from sklearn.datasets import load_digits\nfrom sklearn.svm import SVC\nX, y = load_digits(return_X_y=True)\n"


def audit(folder: Path, files: dict[str, str], scripts: dict[str, str], commands: list[str]) -> provchain.Report:
    """A run: scripts that the agent wrote, commands that it ran, and the files that lie there afterwards."""
    calls = [*(written(path, text) for path, text in scripts.items()), *map(ran, commands)]
    messages = messages_of(calls)
    for path, text in {"proposal.md": "# P\n", **files, **scripts, "claude_output.json": json.dumps(messages)}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return provchain.audit(folder)


def places(report: provchain.Report, written: str) -> list[str]:
    """Path and selector of the evidence for the first claim that is written so."""
    claim = next(c for c in report.study.claims if c.written == written)
    return [f"{e.path}:{e.selector}" if e.selector else e.path for e in report.judgements[claim.id].evidence]


REPORTING = (
    f"{TRAIN}import json\nacc = SVC().fit(X, y).score(X, y)\n"
    "json.dump({'svm': {'correct': round(100 * acc)}, 'knn': {'correct': 70}}, open('out.json', 'w'))\n"
    "open('results.md', 'w').write(f'| Method | Pass rate |\\n|---|---|\\n| svm | {acc:.2%} |\\n')\n"
)


def test_the_data_behind_a_manuscript_that_an_execution_wrote(tmp_path: Path) -> None:
    files = {
        "out.json": '{"svm": {"correct": 92, "seconds": 3}, "knn": {"correct": 70}}',
        "results.md": "| Method | Pass rate |\n|---|---|\n| svm | 92.00% |\n",
    }
    report = audit(tmp_path, files, {"run.py": REPORTING}, ["python run.py"])
    assert places(report, "92.00%") == ["results.md", "out.json:/svm/correct"]


def test_a_number_of_another_row_is_not_shown(tmp_path: Path) -> None:
    files = {
        "out.json": '{"svm": {"correct": 91}, "knn": {"correct": 92}}',
        "results.md": "| Method | Pass rate |\n|---|---|\n| svm | 92.00% |\n",
    }
    report = audit(tmp_path, files, {"run.py": REPORTING}, ["python run.py"])
    assert places(report, "92.00%") == ["results.md"]


def test_the_series_whose_mean_a_manuscript_gives(tmp_path: Path) -> None:
    code = f"{TRAIN}import json\nrows = [{{'bleu_ret': SVC().fit(X, y).score(X, y)}} for _ in range(3)]\n"
    code += "open('rows.jsonl', 'w').write('\\n'.join(json.dumps(row) for row in rows))\n"
    code += "m = sum(r['bleu_ret'] for r in rows) / 3\n"
    code += "open('results.md', 'w').write(f'| Method | Mean BLEU |\\n|---|---|\\n| Retrieval | {m:.2f} |\\n')\n"
    files = {
        "rows.jsonl": '{"bleu_ret": 1.5, "bleu_base": 0.25}\n{"bleu_ret": 1.0, "bleu_base": 0.5}\n{"bleu_ret": 0.53, "bleu_base": 1}\n',
        "results.md": "| Method | Mean BLEU |\n|---|---|\n| Retrieval | 1.01 |\n",
    }
    report = audit(tmp_path, files, {"run.py": code}, ["python run.py"])
    assert places(report, "1.01") == ["results.md", "rows.jsonl:line=1/bleu_ret"]


def test_the_series_that_a_figure_shows(tmp_path: Path) -> None:
    code = f"{TRAIN}import json\nimport matplotlib.pyplot as plt\n"
    code += "loss = [1 - SVC(max_iter=n).fit(X, y).score(X, y) for n in (1, 5, 9)]\n"
    code += "json.dump({'svm': {'epoch': [1, 5, 9], 'train_loss': loss}}, open('out.json', 'w'))\n"
    code += "plt.plot(loss)\nplt.savefig('svm_train_loss.png')\n"
    files = {
        "out.json": '{"svm": {"epoch": [1, 5, 9], "train_loss": [0.91, 0.5, 0.25]}}',
        "svm_train_loss.png": "not really a picture",
        "results.md": "# Results\n\n![Loss of the SVM](svm_train_loss.png)\n",
    }
    report = audit(tmp_path, files, {"run.py": code}, ["python run.py"])
    assert places(report, "svm_train_loss.png") == [
        "svm_train_loss.png",
        "out.json:/svm/train_loss/0",
        "out.json:/svm/train_loss/2",
    ]


def test_a_setting_that_a_result_repeats(tmp_path: Path) -> None:
    code = f"{TRAIN}import json\nBATCH_SIZE = 48\nacc = SVC().fit(X, y).score(X, y)\n"
    code += "json.dump({'batch_size': BATCH_SIZE, 'accuracy': acc, 'size': 48}, open('out.json', 'w'))\n"
    files = {
        "out.json": '{"batch_size": 48, "accuracy": 0.9131, "size": 48}',
        "results.md": "# Setup\n\nHyperparameters: batch_size=48.\n",
    }
    report = audit(tmp_path, files, {"run.py": code}, ["python run.py"])
    assert places(report, "48") == ["run.py:line=5", "out.json:/batch_size"]


def test_the_line_that_makes_a_value_up(tmp_path: Path) -> None:
    code = "import json, random\nbase = random.uniform(0.1, 0.2)\nmetrics = {\n    'Graph': {'gain@10': base + 0.1, 'gain@50': base + 0.3},\n"
    code += "    'Linear': {'gain@10': base, 'gain@50': base}}\njson.dump(metrics, open('out.json', 'w'))\n"
    code += "open('results.md', 'w').write(f\"| Model | Budget 50 |\\n|---|---|\\n| Graph | {metrics['Graph']['gain@50']:.4f} |\\n\")\n"
    files = {
        "out.json": '{"Graph": {"gain@10": 0.2541, "gain@50": 0.4541}, "Linear": {"gain@10": 0.1541, "gain@50": 0.1541}}',
        "results.md": "| Model | Budget 50 |\n|---|---|\n| Graph | 0.4541 |\n",
    }
    report = audit(tmp_path, files, {"run.py": code}, ["python run.py"])
    assert places(report, "0.4541")[-1] == "run.py:line=4"
