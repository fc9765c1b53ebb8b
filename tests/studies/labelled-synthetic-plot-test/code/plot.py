"""Draw one bar for each value of a file: python code/plot.py SOURCE TARGET."""

import json
import sys


def main(source, target):
    with open(source) as file:
        values = json.load(file)
    bars = []
    for place, (name, value) in enumerate(values.items()):
        height = 160 * (value["accuracy"] if isinstance(value, dict) else value)
        bars.append(f'<rect x="{40 + 130 * place}" y="{190 - height:.1f}" width="80" height="{height:.1f}"/>')
        bars.append(f'<text x="{80 + 130 * place}" y="206" text-anchor="middle">{name}</text>')
    with open(target, "w") as file:
        file.write('<svg xmlns="http://www.w3.org/2000/svg" width="320" height="220" font-size="11">\n')
        file.write("\n".join(bars) + "\n</svg>\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
