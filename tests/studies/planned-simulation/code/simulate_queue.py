"""Simulate a queue with one server and estimate how long its customers wait."""

import json
import random

RESULTS = "results/waiting.json"
CUSTOMERS = 2000
SEED = 11


def mean_wait(load, chance):
    """Arrivals and services are spread evenly around their means."""
    clock = free = waited = 0.0
    for _ in range(CUSTOMERS):
        clock += 2 * chance.random()
        start = max(clock, free)
        waited += start - clock
        free = start + 2 * load * chance.random()
    return waited / CUSTOMERS


def main():
    chance = random.Random(SEED)
    waits = {f"load_{load}": round(mean_wait(load, chance), 4) for load in (0.5, 0.7, 0.9)}
    for name, wait in waits.items():
        print(f"{name}: mean wait {wait:.4f}")
    with open(RESULTS, "w") as file:
        json.dump(waits, file, indent=2)


if __name__ == "__main__":
    main()
