"""A plan that is itself a simulation says so of what it does; a technique or a disturbance of that name is none."""

from __future__ import annotations

import pytest

from provchain.history.steps import _is_simulation

SIMULATIONS = [
    "# A simulation of queues",
    "# Queueing\nThe experiment is a stochastic simulation of an M/M/1 queue.",
    "We simulate an M/M/1 queue at three loads.",
    "# Gambler's ruin: a Monte Carlo study",
    "The evaluation is a discrete-event simulation.",
    "We run a numerical experiment on generated data.",
    "The benchmark compares solvers on randomly generated instances.",
    "We will simulate 10,000 games per stake.",
    "The evaluation is a computer simulation: 2000 games per stake are simulated.",
    "The method is assessed by Monte Carlo simulation.",
    "# Simulating epidemics on networks",
    "The comparison rests on a discrete-event simulation of the ward.",
    "Evaluation is by simulation.",
    "The study consists of simulations of the SIR process.",
]
NO_SIMULATIONS = [
    "We simulate label noise by flipping labels.",
    "We simulate federated clients.",
    "We simulate a GitHub environment where the agent observes a state.",
    "Uncertainty by Monte Carlo dropout is evaluated.",
    "We evaluate simulated annealing.",
    "Experiments use simulation-based inference.",
    "Prior experiments used stochastic simulation.",
    "We will not simulate anything.",
    "Numerical experiments on MNIST.",
    "# Learning from simulation logs",
    "We test MCTS simulations per move.",
    "This case study will simulate the process of selecting a model.",
    "Experiments compare the model with a simulation model.",
    "We evaluate on real traffic rather than in simulation.",
    "Randomly generated prompts are scored.",
    "We simulate pruning by dropping weights.",
    "Weights are initialised randomly and the model is tested.",
    "We evaluate augmentation with randomly generated masks.",
]


@pytest.mark.parametrize("text", SIMULATIONS)
def test_a_plan_says_that_it_simulates(text: str) -> None:
    assert _is_simulation(text)


@pytest.mark.parametrize("text", NO_SIMULATIONS)
def test_a_technique_a_disturbance_or_a_denial_does_not(text: str) -> None:
    assert not _is_simulation(text)
