"""Print the mean length and width of the leaves of each kind."""

import csv

DATA = "data/leaves.csv"


def main():
    with open(DATA, newline="") as file:
        rows = list(csv.DictReader(file))
    for kind in sorted({row["kind"] for row in rows}):
        own = [row for row in rows if row["kind"] == kind]
        length = sum(float(row["length"]) for row in own) / len(own)
        width = sum(float(row["width"]) for row in own) / len(own)
        print(f"{kind}: mean length {length:.4f}, mean width {width:.4f}")


if __name__ == "__main__":
    main()
