"""The values that right answers give to the variables which the notebook names."""

import dataclasses
from collections.abc import Sequence
from typing import Any

from autograder.judging.answer_key import AnswerKey, call_id
from autograder.judging.batches import LIMITS
from autograder.lesson.components import Component
from autograder.lesson.lesson import Lesson
from autograder.sandbox.runner import Runner
from autograder.sandbox.work import Plan, ProbeCall
from transformer_workbook.traces.first_wrong import Ways, ways_of
from transformer_workbook.traces.trace import variables
from transformer_workbook.traces.values import Kept, from_tree


def ways(
    lesson: Lesson, component: Component, answer_key: AnswerKey, runner: Runner
) -> dict[str, Ways]:
    """The ways of the reference and of the listed right answers, by case. Raises RunnerFault."""
    sources = [component.source, *(variant.source for variant in component.right)]
    watched = variables(component.released)
    of_sources = values_of(lesson, component, sources, answer_key, runner)
    return {
        case.name: ways_of([of_source[case.name] for of_source in of_sources], watched)
        for case in answer_key.cases[component.name]
    }


def values_of(
    lesson: Lesson,
    component: Component,
    sources: Sequence[str],
    answer_key: AnswerKey,
    runner: Runner,
) -> list[dict[str, dict[str, list[Kept]]]]:
    """The values of the variables of each source, by case and variable. Raises RunnerFault."""
    work = answer_key.work(answer_key.answers(), [component.name])
    (plan,) = work.plans
    cases = {call_id(component.name, case.name): case for case in answer_key.cases[component.name]}
    calls = [
        ProbeCall(f"{number}/{call.id}", "values", _inputs(lesson, plan, source, call))
        for number, source in enumerate(sources)
        for call in plan.calls
    ]
    work = dataclasses.replace(
        work, plans=[dataclasses.replace(plan, calls=calls)], probes="repair.probe"
    )
    evidence = answer_key.run(work, runner, LIMITS)
    return [
        {
            case.name: _grouped(evidence[f"{number}/{call}"].values.get("values", []))
            for call, case in cases.items()
        }
        for number in range(len(sources))
    ]


def _inputs(lesson: Lesson, plan: Plan, source: str, call: ProbeCall) -> dict[str, Any]:
    return {
        "lesson": lesson.id,
        "defines": plan.defines,
        "source": source,
        "probe": call.probe,
        "inputs": call.inputs,
    }


def _grouped(trace: Any) -> dict[str, list[Kept]]:
    values: dict[str, list[Kept]] = {}
    for variable, value in trace:
        values.setdefault(variable, []).append(from_tree(value))
    return values
