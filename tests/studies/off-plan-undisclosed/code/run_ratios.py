"""Estimate how far leaves are from round, by the ratio of length and width in the table of measurements."""

import csv
import json

DATA = "data/leaves.csv"
RESULTS = "results/ratios.json"


def main():
    with open(DATA, newline="") as file:
        rows = list(csv.DictReader(file))
    by_kind = {}
    for row in rows:
        by_kind.setdefault(row["kind"], []).append(float(row["length"]) / float(row["width"]))
    ratios = {kind: round(sum(values) / len(values), 4) for kind, values in by_kind.items()}
    for kind, ratio in ratios.items():
        print(f"{kind}: mean ratio {ratio:.4f}")
    with open(RESULTS, "w") as file:
        json.dump(ratios, file, indent=2)


if __name__ == "__main__":
    main()
