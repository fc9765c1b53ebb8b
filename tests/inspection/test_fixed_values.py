"""Results that a script fixes whatever happens, and computations that only look alike."""

from __future__ import annotations

import pytest

from provchain.inspection.fixed_values import FixedValue, fixed_values


def names(text: str) -> list[set[str]]:
    return [set(found.names) for found in fixed_values(text)]


def test_one_array_under_two_names_compared_with_itself() -> None:
    text = (
        "def main():\n"
        "    for q in queries:\n"
        "        sims = 1 / (1 + distances(q))\n"
        "        ours = sims\n"
        "        theirs = np.array(sims)\n"
        "        tau, _ = kendalltau(ours, theirs)\n"
        "        results.append({'id': q, 'tau': float(tau)})\n"
    )
    (found,) = fixed_values(text)
    assert found == FixedValue(6, frozenset({"tau"}), None, "", "kendalltau compares sims with itself")


@pytest.mark.parametrize(
    "text",
    [
        "p = model(x)\ny = labels\nacc = accuracy_score(y, p)\n",
        "a = f()\nb = a.copy()\nb[0] += noise\nr = pearsonr(a, b)[0]\n",
        "a = f()\nb = a\nb = g(b)\nr = pearsonr(a, b)[0]\n",
        "a = f()\nb = a\nfor i in it:\n    a = f(i)\n    r = pearsonr(a, b)[0]\n",
        "a = f()\nb = a[1:]\nr = pearsonr(a, b)[0]\n",
        "a = f()\nb = a\nb.append(1)\nr = spearmanr(a, b)\n",
        "x = f()\nm = max(x, x)\n",
        "not = = python",
    ],
)
def test_two_things_that_may_differ_are_compared(text: str) -> None:
    assert fixed_values(text) == []


def test_a_number_in_the_place_of_an_error() -> None:
    text = (
        "try:\n    acc = evaluate(model)\n"
        "except Exception as error:\n    print('evaluation failed, using default', error)\n    acc = 0.8512\n"
        "json.dump({'accuracy': acc}, f)\n"
    )
    (found,) = fixed_values(text)
    assert (found.line, set(found.names), str(found.number)) == (5, {"acc", "accuracy"}, "0.8512")
    assert found.said == "evaluation failed, using default"


def test_a_function_that_returns_a_number_on_an_error() -> None:
    text = (
        "def score(m):\n    try:\n        return m.evaluate()\n    except Exception:\n        return 0.91\n"
        "results['f1'] = score(model)\n"
    )
    (found,) = fixed_values(text)
    assert (found.line, set(found.names), str(found.number)) == (5, {"f1"}, "0.91")


@pytest.mark.parametrize(
    "text",
    [
        "try:\n    import torch\nexcept ImportError:\n    torch = None\n",
        "try:\n    n = int(sys.argv[1])\nexcept Exception:\n    raise SystemExit(2)\n",
        "try:\n    run()\nexcept Exception:\n    failed += 1\n",
        "lr = 0.1\n",
    ],
)
def test_other_handlers_fix_nothing(text: str) -> None:
    assert names(text) == []
