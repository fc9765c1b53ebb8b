"""Measure how far the margins of leaves stray from an ellipse, on scans that the herbarium delivers."""

import csv
import json

SCANS = "data/scans.csv"
RESULTS = "results/metrics.json"


def main():
    with open(SCANS, newline="") as file:
        rows = list(csv.DictReader(file))
    by_kind = {}
    for row in rows:
        by_kind.setdefault(row["kind"], []).append(float(row["stray"]))
    with open(RESULTS, "w") as file:
        json.dump({kind: round(sum(values) / len(values), 4) for kind, values in by_kind.items()}, file, indent=2)


if __name__ == "__main__":
    main()
