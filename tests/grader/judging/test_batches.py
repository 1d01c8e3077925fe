"""Which answers run together, and whose evidence is whose."""

from autograder.judging.batches import MOST_IN_A_RUN, batches
from autograder.sandbox.job import Cell, Job, Plan, ProbeCall

CALLS = [ProbeCall(f"scale/{case}", "call", {}) for case in ("few", "many")]
JOB = Job(
    "00-small",
    [Cell("setup", "setup", ""), Cell("scale", "answer", "def scale(x): return x")],
    [Plan("scale", "scale", CALLS, ("torch.mul",))],
    {},
)
PLAIN = "def scale(x): return {} * x"
WITH_HELPER = "def twice(x): return 2 * x\ndef scale(x): return twice(x)"
OTHER_HELPER = "def twice(x): return 3 * x\ndef scale(x): return twice(x)"


def answers_of(batch) -> list[str]:
    return [cell.source for cell in batch.job.cells if cell not in JOB.cells]


def test_all_answers_run_in_their_order_some_at_a_time():
    sources = [PLAIN.format(number) for number in range(2 * MOST_IN_A_RUN + 1)]
    made = list(batches(JOB, sources))
    assert [len(batch.calls) for batch in made] == [MOST_IN_A_RUN, MOST_IN_A_RUN, 1]
    assert [source for batch in made for source in answers_of(batch)] == sources


def test_there_is_a_part_for_each_runner():
    sources = [PLAIN.format(number) for number in range(5)]
    assert [len(batch.calls) for batch in batches(JOB, sources, parts=2)] == [3, 2]
    assert [len(batch.calls) for batch in batches(JOB, sources[:1], parts=2)] == [1]
    assert list(batches(JOB, [], parts=2)) == []


def test_what_one_defines_no_other_of_its_batch_mentions():
    mentions = "def scale(x): return twice(x)"  # which nothing of its own defines
    for other in (OTHER_HELPER, mentions):
        for sources in ([WITH_HELPER, other], [other, WITH_HELPER]):
            assert [answers_of(batch) for batch in batches(JOB, sources)] == [
                [source] for source in sources
            ]


def test_what_is_no_python_defines_nothing():
    sources = ["def scale(x", PLAIN.format(2)]
    assert [answers_of(batch) for batch in batches(JOB, sources)] == [sources]


def test_each_answer_is_probed_alone_and_refused_what_the_component_is():
    (batch,) = batches(JOB, [PLAIN.format(2), PLAIN.format(3)])
    assert [plan.defines for plan in batch.job.plans] == ["scale", "scale"]
    assert len({plan.component for plan in batch.job.plans}) == 2
    assert all(plan.forbidden == ("torch.mul",) for plan in batch.job.plans)
    ids = [call.id for plan in batch.job.plans for call in plan.calls]
    assert len(set(ids)) == 4


def test_evidence_is_sorted_out_by_answer_under_the_calls_own_ids():
    wanted = [{"scale/many"}, {"scale/few", "scale/many"}]
    (batch,) = batches(JOB, [PLAIN.format(2), PLAIN.format(3)], wanted)
    ids = [[call.id for call in plan.calls] for plan in batch.job.plans]
    evidence = {id: f"evidence of {id}" for of_plan in ids for id in of_plan}
    first, second = batch.by_answer(evidence)
    assert first == {"scale/many": f"evidence of {ids[0][0]}"}
    assert second == {
        "scale/few": f"evidence of {ids[1][0]}", "scale/many": f"evidence of {ids[1][1]}"
    }  # fmt: skip
