"""Run the experiment once more, into another file."""

import sys

import run_experiment

run_experiment.RESULTS = sys.argv[1]

if __name__ == "__main__":
    run_experiment.main()
