"""Compare two classifiers of file fragments over three random splits."""

import csv
import json
import random

from statistics import mean, stdev

DATA = "../data/fragments.csv"
RESULTS = "../results"
SEEDS = [1, 2, 3]
TEST_SHARE = 0.3
K = 5


def load(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))[1:]
    return [([float(cell) for cell in row[:-1]], row[-1]) for row in rows]


def split(samples, seed):
    """Hold out the same share of each kind."""
    chance = random.Random(seed)
    train, test = [], []
    for kind in sorted({kind for _, kind in samples}):
        members = [sample for sample in samples if sample[1] == kind]
        chance.shuffle(members)
        cut = round(len(members) * TEST_SHARE)
        test += members[:cut]
        train += members[cut:]
    return train, test


def standardise(train, test):
    """Bring each measurement to mean 0 and deviation 1, as seen in training."""
    columns = list(zip(*[features for features, _ in train]))
    centre = [sum(column) / len(column) for column in columns]
    scale = [(sum((x - c) ** 2 for x in column) / len(column)) ** 0.5 or 1.0 for column, c in zip(columns, centre)]

    def apply(samples):
        return [([(x - c) / s for x, c, s in zip(features, centre, scale)], kind) for features, kind in samples]

    return apply(train), apply(test)


def distance(a, b):
    return sum((x - y) ** 2 for x, y in zip(a, b))


def nearest_centroid(train, features):
    kinds = sorted({kind for _, kind in train})
    centroids = {}
    for kind in kinds:
        members = [member for member, other in train if other == kind]
        centroids[kind] = [sum(column) / len(column) for column in zip(*members)]
    return min(kinds, key=lambda kind: distance(centroids[kind], features))


def nearest_neighbours(train, features):
    near = sorted(train, key=lambda sample: distance(sample[0], features))[:K]
    votes = [kind for _, kind in near]
    return max(votes, key=votes.count)


def evaluate(predicted, actual):
    """Accuracy and macro F1."""
    hits = sum(p == a for p, a in zip(predicted, actual))
    scores = []
    for kind in sorted(set(actual)):
        true = sum(p == a == kind for p, a in zip(predicted, actual))
        wrong = sum((p == kind) != (a == kind) for p, a in zip(predicted, actual))
        scores.append(2 * true / (2 * true + wrong))
    return {"accuracy": hits / len(actual), "macro_f1": sum(scores) / len(scores)}


def summarise(scores):
    """Mean and standard deviation over the seeds."""
    summary = {}
    for metric in ("accuracy", "macro_f1"):
        seeds = [score[metric] for score in scores]
        summary[metric] = {
            "mean": round(mean(seeds), 6),
            "std": round(stdev(seeds), 6),
            "seeds": [round(seed, 6) for seed in seeds],
        }
    return summary


def write_figure(metrics, path):
    """One bar per method: its mean accuracy."""
    bars = []
    for place, (method, scores) in enumerate(metrics.items()):
        height = 160 * scores["accuracy"]["mean"]
        bars.append(f'<rect x="{60 + 130 * place}" y="{190 - height:.1f}" width="80" height="{height:.1f}" fill="#4878a8"/>')
        bars.append(f'<text x="{100 + 130 * place}" y="206" text-anchor="middle">{method}</text>')
    with open(path, "w") as file:
        file.write('<svg xmlns="http://www.w3.org/2000/svg" width="320" height="220" font-size="11" font-family="sans-serif">\n')
        file.write('<text x="160" y="16" text-anchor="middle">Accuracy on held-out fragments</text>\n')
        file.write("\n".join(bars) + '\n<line x1="40" y1="190" x2="290" y2="190" stroke="black"/>\n</svg>\n')


def write_report(metrics, path):
    lines = ["# Results: classification of file fragments", "", "## Setup", ""]
    lines += ["| setting | value |", "|---|---|"]
    lines += [f"| seeds | {', '.join(map(str, SEEDS))} |", f"| share held out | {TEST_SHARE} |", f"| k | {K} |"]
    lines += ["", "## Results", "", "Mean and standard deviation over the three splits:", ""]
    lines += ["| method | accuracy | accuracy std | macro F1 | macro F1 std |", "|---|---|---|---|---|"]
    for method, scores in metrics.items():
        cells = [scores[metric][part] for metric in ("accuracy", "macro_f1") for part in ("mean", "std")]
        lines.append(f"| {method} | " + " | ".join(f"{cell:.4f}" for cell in cells) + " |")
    lines += ["", "![Accuracy on held-out fragments](accuracy.svg)", ""]
    with open(path, "w") as file:
        file.write("\n".join(lines))


def main():
    samples = load(DATA)
    print(f"read {len(samples)} fragments")
    methods = {"nearest_centroid": nearest_centroid, "knn": nearest_neighbours}
    scores = {method: [] for method in methods}
    for seed in SEEDS:
        train, test = standardise(*split(samples, seed))
        for method, classify in methods.items():
            predicted = [classify(train, features) for features, _ in test]
            scores[method].append(evaluate(predicted, [kind for _, kind in test]))
    metrics = {}
    for method, rows in scores.items():
        metrics[method] = summarise(rows)
    for method, row in metrics.items():
        print(f"{method}: accuracy {row['accuracy']['mean']:.4f}, macro F1 {row['macro_f1']['mean']:.4f}")
    with open(f"{RESULTS}/metrics.json", "w") as file:
        json.dump(metrics, file, indent=2)
    write_figure(metrics, f"{RESULTS}/accuracy.svg")
    write_report(metrics, f"{RESULTS}/results.md")


if __name__ == "__main__":
    main()
