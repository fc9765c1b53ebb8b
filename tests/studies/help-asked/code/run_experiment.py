"""Compare leaves with the sheets of the herbarium, which are fetched first."""

import json
import sys
import time
import urllib.request

SHEETS = "https://herbarium.invalid/sheets.json"
RESULTS = "results/metrics.json"


def main():
    started = time.monotonic()
    print("fetching the sheets", flush=True)
    try:
        with urllib.request.urlopen(SHEETS) as answer:
            sheets = json.load(answer)
    except OSError:
        print(f"failed after {time.monotonic() - started:.2f} s", file=sys.stderr)
        raise
    areas = [sheet["area"] for sheet in sheets]
    with open(RESULTS, "w") as file:
        json.dump({"sheets": len(areas), "mean_area": sum(areas) / len(areas)}, file)


if __name__ == "__main__":
    main()
