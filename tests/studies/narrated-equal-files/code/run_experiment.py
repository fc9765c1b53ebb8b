"""Compare two classifiers of leaves over three random splits."""

import csv
import json
import random

DATA = "data/leaves.csv"
RESULTS = "results/metrics.json"
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
        members.sort(key=lambda _: chance.random())
        cut = round(len(members) * TEST_SHARE)
        test += members[:cut]
        train += members[cut:]
    return train, test


def distance(a, b):
    return sum((x - y) ** 2 for x, y in zip(a, b, strict=True))


def nearest_centroid(train, features):
    kinds = sorted({kind for _, kind in train})
    centroids = {}
    for kind in kinds:
        members = [member for member, other in train if other == kind]
        centroids[kind] = [sum(column) / len(column) for column in zip(*members, strict=True)]
    return min(kinds, key=lambda kind: distance(centroids[kind], features))


def nearest_neighbours(train, features):
    near = sorted(train, key=lambda sample: distance(sample[0], features))[:K]
    votes = [kind for _, kind in near]
    return max(votes, key=votes.count)


def evaluate(predicted, actual):
    """Accuracy and macro F1."""
    hits = sum(p == a for p, a in zip(predicted, actual, strict=True))
    scores = []
    for kind in sorted(set(actual)):
        true = sum(p == a == kind for p, a in zip(predicted, actual, strict=True))
        wrong = sum((p == kind) != (a == kind) for p, a in zip(predicted, actual, strict=True))
        scores.append(2 * true / (2 * true + wrong))
    return {"accuracy": hits / len(actual), "macro_f1": sum(scores) / len(scores)}


def main():
    samples = load(DATA)
    print(f"read {len(samples)} leaves")
    metrics = {}
    for name, classify in (("nearest_centroid", nearest_centroid), ("nearest_neighbours", nearest_neighbours)):
        scores = []
        for seed in SEEDS:
            train, test = split(samples, seed)
            predicted = [classify(train, features) for features, _ in test]
            scores.append(evaluate(predicted, [kind for _, kind in test]))
        metrics[name] = {
            metric: round(sum(score[metric] for score in scores) / len(scores), 4)
            for metric in ("accuracy", "macro_f1")
        }
        print(f"{name}: accuracy {metrics[name]['accuracy']:.4f}, macro F1 {metrics[name]['macro_f1']:.4f}")
    with open(RESULTS, "w") as file:
        json.dump(metrics, file, indent=2)


if __name__ == "__main__":
    main()
