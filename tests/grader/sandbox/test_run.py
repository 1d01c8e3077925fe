"""What comes back of a submission, whatever its code does."""

import os
import time
from dataclasses import replace

import pytest
import torch

from autograder.sandbox import fork_server, server_process, student_process
from autograder.sandbox import runner as runner_module
from autograder.sandbox.job import Cell, Plan, ProbeCall, RunnerFault
from autograder.sandbox.limits import Limits
from autograder.sandbox.progress import Progress
from autograder.sandbox.runner import Runner
from transformer_workbook.shared.evidence import Failure
from transformer_workbook.shared.obligations import Violations

TRIPLE = "def scale(x):\n    return 3 * x\n"
SHIFT = "def shift(x):\n    return scale(x) + 1\n"
OFFSET = "def offset(x):\n    return x + 1\n"
ENDLESS = "def {name}(x):\n    while True:\n        pass\n"


def the_failure(outcome, call="scale"):
    return outcome.evidence[call].failure


def y_of(outcome, call="scale"):
    evidence = outcome.evidence[call]
    assert evidence.failure is None, evidence.failure
    return evidence.tensors["y"].tolist()


def told(outcome, call="scale"):
    evidence = outcome.evidence[call]
    assert evidence.failure is None, evidence.failure
    return evidence.values["told"]


# What comes back.


def test_evidence_comes_back_as_it_was(each_runner, small_course):
    outcome = each_runner.run(small_course.job({"scale": TRIPLE}))
    evidence = outcome.evidence["scale"]
    assert torch.equal(evidence.tensors["y"], torch.tensor([3.0, 6.0, 9.0]))
    assert evidence.values == vars(Violations())
    assert outcome.cells == {}
    assert outcome.sandbox == each_runner.sandbox
    assert 0 < outcome.seconds < 10


def test_gradients_flow_after_cells_that_trained(each_runner, small_course):
    trained = "w = torch.ones(3, requires_grad=True)\n(w * w).sum().backward()\n"
    job = small_course.job({"scale": trained + TRIPLE}, [small_course.plan("scale", "gradient")])
    assert each_runner.run(job).evidence["scale"].tensors["grad"].tolist() == [3, 3, 3]


def test_files_lie_where_the_cells_run(each_runner, small_course):
    files = {"whole": bytes(range(256)), "empty": b""}
    cells = [
        Cell(name, "setup", f"assert open({name!r}, 'rb').read() == {content!r}")
        for name, content in files.items()
    ]
    job = replace(small_course.job(cells), files=files)
    assert each_runner.run(job).cells == {}
    assert each_runner.run(replace(job, files={})).cells.keys() == files.keys()


def test_a_message_may_hold_as_much_text_as_its_limit_says(runner, small_course):
    job = small_course.job({"scale": TRIPLE})
    assert y_of(runner.run(job, Limits(text=1 << 20))) == [3, 6, 9]
    failure = the_failure(runner.run(job, Limits(text=150)))
    assert failure.kind == "died" and "too much text" in failure.message


def test_a_blank_names_its_line(runner, small_course):
    outcome = runner.run(small_course.job({"scale": "def scale(x):\n    return ____ * x\n"}))
    failure = the_failure(outcome)
    assert (failure.kind, failure.line) == ("blank", "return ____ * x")


def test_a_syntax_error_shows_its_line(runner, small_course):
    outcome = runner.run(small_course.job({"scale": "def scale(x):\n    return 3 *\n"}))
    assert the_failure(outcome).type == "SyntaxError"
    assert the_failure(outcome).line == "return 3 *"
    assert outcome.cells == {"scale": the_failure(outcome)}


def test_what_was_never_defined_is_missing(runner, small_course):
    outcome = runner.run(small_course.job({"scale": "pass"}))
    assert the_failure(outcome).kind == "missing"
    outcome = runner.run(small_course.job([], [small_course.plan("scale")]))
    assert the_failure(outcome).kind == "missing"


def test_a_cell_that_fails_does_not_stop_the_next(runner, small_course):
    cells = [
        Cell("first", "setup", "1 / 0"),
        Cell("second", "added", "import sys; sys.exit('enough')"),
        Cell("scale", "answer", TRIPLE),
    ]
    outcome = runner.run(small_course.job(cells))
    assert y_of(outcome) == [3, 6, 9]
    assert {name: failure.type for name, failure in outcome.cells.items()} == {
        "first": "ZeroDivisionError",
        "second": "SystemExit",
    }


def test_an_answer_that_fails_carries_its_failure_to_each_call(runner, small_course):
    x = torch.ones(2)
    calls = [ProbeCall("a", "call", {"x": x}), ProbeCall("b", "call", {"x": x})]
    job = small_course.job({"scale": "oops\n" + TRIPLE}, [Plan("scale", "scale", calls)])
    outcome = runner.run(job)
    assert the_failure(outcome, "a") == the_failure(outcome, "b") == outcome.cells["scale"]
    assert the_failure(outcome, "a").line == "oops"


def test_an_answer_is_probed_though_a_line_after_it_fails(runner, small_course):
    outcome = runner.run(small_course.job({"scale": TRIPLE + "print(scale(undefined))\n"}))
    assert y_of(outcome) == [3, 6, 9]
    assert outcome.cells["scale"].type == "NameError"


def test_two_answers_may_define_one_name(runner, small_course):
    cells = {"scale": TRIPLE, "bug_hunt_1": "def scale(x):\n    return 5 * x\n"}
    plans = [small_course.plan("scale"), small_course.plan("bug_hunt_1", defines="scale")]
    outcome = runner.run(small_course.job(cells, plans))
    assert y_of(outcome, "scale") == [3, 6, 9]
    assert y_of(outcome, "bug_hunt_1") == [5, 10, 15]


def test_an_added_cell_may_mend_an_answer(runner, small_course):
    cells = [Cell("scale", "answer", "def scale(x): return x"), Cell("own", "added", TRIPLE)]
    assert y_of(runner.run(small_course.job(cells))) == [3, 6, 9]


def test_a_hundredth_of_a_number_is_kept_with_double(runner, small_course):
    x = torch.tensor([1 / 3], dtype=torch.float64)
    source = "def scale(x):\n    return x * torch.ones(1)\n"
    job = small_course.job({"scale": source}, [small_course.plan("scale", x=x)], double=True)
    assert torch.equal(runner.run(job).evidence["scale"].tensors["y"], x)


def test_notebook_language_runs(runner, small_course):
    source = """%matplotlib inline
!pip install nothing
files = !ls
import asyncio
await asyncio.sleep(0)
display(files)
plt = __import__("matplotlib.pyplot").pyplot
plt.plot([1, 2]); plt.show()
def scale(x):
    return 3 * x
"""
    outcome = runner.run(
        small_course.job(
            [
                Cell("a", "added", "%%time\nfactor = 3"),
                Cell("scale", "answer", source),
                Cell("b", "added", "assert factor == 3 and __name__ == '__main__'"),
            ]
        )  # fmt: skip
    )
    assert outcome.cells == {}
    assert y_of(outcome) == [3, 6, 9]


def test_what_a_notebook_has_of_itself_is_there(runner, small_course):
    """Names that the module site makes; and a future import holds for later cells."""
    cells = [
        Cell("own", "added", "from __future__ import annotations\nhelp(sum)\ncopyright, license"),
        Cell("scale", "answer", "def scale(x: Not) -> Defined:\n    return 3 * x\n"),
    ]
    outcome = runner.run(small_course.job(cells))
    assert outcome.cells == {} and y_of(outcome) == [3, 6, 9]


def test_nothing_leaks_into_the_next_submission(each_runner, small_course):
    each_runner.run(small_course.job({"scale": "torch.leak = 1\nF.softmax = None\n" + TRIPLE}))
    source = """def scale():
    return [hasattr(torch, "leak"), F.softmax is None]
"""
    job = small_course.job({"scale": source}, [small_course.plan("scale", "tell")])
    assert told(each_runner.run(job)) == [False, False]


def test_nothing_leaks_from_one_plan_to_the_next(runner, small_course):
    cells = {"scale": "def scale(x):\n    torch.leak = 1\n    return x\n",
             "offset": "def offset():\n    return hasattr(torch, 'leak')\n"}  # fmt: skip
    plans = [small_course.plan("scale"), small_course.plan("offset", "tell")]
    assert told(runner.run(small_course.job(cells, plans)), "offset") is False


# Ends that are not the student's alone.


STUBBORN = """import signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
while True:
    try:
        while True: pass
    except BaseException:
        pass
"""


@pytest.mark.parametrize("endless", [ENDLESS.format(name="shift"), STUBBORN], ids=["call", "cell"])
def test_what_never_ends_costs_the_others_nothing(each_runner, small_course, impatient, endless):
    cells = {"scale": TRIPLE, "shift": endless, "offset": OFFSET}
    outcome = impatient(each_runner).run(small_course.job(cells))
    assert y_of(outcome, "scale") == [3, 6, 9]
    assert the_failure(outcome, "shift").kind == "timeout"
    assert y_of(outcome, "offset") == [2, 3, 4]
    assert outcome.cells.keys() == ({"shift"} if endless is STUBBORN else set())
    assert outcome.seconds < 15


def test_who_is_stopped_while_another_misbehaves_is_disturbed(runner, small_course, impatient):
    def misbehave(*_):
        Runner.misbehaved += 1
        return ()

    job = small_course.job({"scale": ENDLESS.format(name="scale")})
    assert runner.run(job, further_plans=misbehave).was_disturbed
    assert not runner.run(job).was_disturbed


@pytest.mark.parametrize(("others", "back"), [(set(), 2), ({1}, 2), (set(), 1)])
def test_who_lacks_what_others_took_is_disturbed(confined, small_course, monkeypatch, others, back):
    held, left, end = confined.limits.memory, iter([1 << 50, 0]), iter([0])  # then back
    monkeypatch.setattr(student_process, "memory_of", lambda _: held)
    monkeypatch.setattr(student_process, "memory_left", lambda: next(left, 0))
    monkeypatch.setattr(runner_module, "memory_left", lambda: next(end, back * held))
    monkeypatch.setattr(student_process.StudentProcess, "running", others)
    outcome = confined.run(small_course.job({"scale": "import time\ntime.sleep(1)\n" + TRIPLE}))
    assert [failure.kind for failure in outcome.cells.values()] == ["out_of_memory"] * (back - 1)
    assert outcome.was_disturbed == bool(others)


def test_evidence_before_an_endless_call_is_kept(runner, small_course, impatient):
    source = "def scale(x):\n    while x[0] > 1: pass\n    return x\n"
    calls = [
        ProbeCall("quick", "call", {"x": torch.ones(1)}),
        ProbeCall("endless", "call", {"x": torch.ones(1) * 2}),
        ProbeCall("never", "call", {"x": torch.ones(1)}),
    ]
    outcome = impatient(runner).run(
        small_course.job({"scale": source}, [Plan("scale", "scale", calls)])
    )
    assert y_of(outcome, "quick") == [1]
    assert the_failure(outcome, "endless").kind == "timeout"
    assert the_failure(outcome, "never").kind == "timeout"


def test_a_submission_has_no_more_than_its_time(small_course, monkeypatch, confined):
    monkeypatch.setattr(confined, "limits", Limits(seconds=2))
    cells = {name: ENDLESS.format(name=name) for name in ("scale", "shift", "offset")}
    started = time.monotonic()
    outcome = confined.run(small_course.job(cells))
    assert time.monotonic() - started < 8
    assert {evidence.failure.kind for evidence in outcome.evidence.values()} == {"timeout"}


@pytest.mark.parametrize("where", ["in the cell", "in the call"])
@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import os; os._exit(250)", "exit code 250"),
        ("import os; os._exit(0)", "exit code 0"),
        ("import ctypes; ctypes.string_at(0)", "SIGSEGV"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "SIGKILL"),
    ],
)
def test_a_crash_is_that_components_alone(each_runner, small_course, where, code, words):
    crash = f"{code}\n" if where == "in the cell" else f"def scale(x):\n    {code}\n"
    outcome = each_runner.run(small_course.job({"scale": crash, "offset": OFFSET}))
    assert the_failure(outcome).kind == "died"
    assert words in the_failure(outcome).message
    assert y_of(outcome, "offset") == [2, 3, 4]


@pytest.mark.parametrize("code", ["torch.ones(1 << 29)", "bytes(1 << 31)"])
def test_too_much_memory_is_said_to_be_that(each_runner, small_course, code):
    outcome = each_runner.run(small_course.job({"scale": f"def scale(x):\n    return {code}\n"}))
    assert the_failure(outcome).kind == "out_of_memory"


def test_what_is_printed_without_end_is_cut(each_runner, small_course):
    source = "for n in range(200_000): print('line', n)\nprint('the end é')\n" + TRIPLE
    outcome = each_runner.run(small_course.job({"scale": source}))
    assert y_of(outcome) == [3, 6, 9]
    assert len(outcome.output) <= each_runner.limits.output
    assert outcome.output.endswith("line 199999\nthe end é\n")


# Further plans, once all others have been carried out.

TOKEN = "import secrets\ntoken = secrets.randbelow(1000)\ndef scale(x):\n    return x + token\n"


def again(small_course, name="again"):
    """A plan that calls `scale` once more."""
    plan = small_course.plan("scale")
    return replace(plan, calls=[replace(plan.calls[0], id=name)])


def test_further_plans_find_what_the_cells_have_left(each_runner, small_course):
    asked = []

    def then(outcome, seconds_left):
        asked.append((y_of(outcome), seconds_left))
        return [again(small_course)]

    outcome = each_runner.run(small_course.job({"scale": TOKEN}), further_plans=then)
    assert outcome.evidence["again"].tensors["y"].tolist() == y_of(outcome)
    ((before, seconds_left),) = asked
    assert before == y_of(outcome) and 0 < seconds_left <= each_runner.limits.seconds


def test_further_plans_are_left_where_the_last_plan_ended_the_process(small_course):
    more = again(small_course)
    progress = Progress(small_course.job({"scale": TRIPLE}), 1000, lambda outcome: [more])
    progress.step = next(progress.plans_left())
    progress.blame(Failure("died"))
    assert progress.is_unfinished() and next(progress.plans_left()) is more
    progress.step = more
    progress.blame(Failure("died"))
    assert not progress.is_unfinished()
    assert progress.outcome.evidence.keys() == {"scale", "again"}


def test_a_further_call_needs_an_id_and_a_probe_of_its_own(runner, small_course):
    job = small_course.job({"scale": TRIPLE})
    with pytest.raises(RunnerFault, match="same id"):
        runner.run(job, further_plans=lambda *_: [again(small_course, "scale")])
    with pytest.raises(RunnerFault, match="no probe named nonsense"):
        runner.run(job, further_plans=lambda *_: [small_course.plan("offset", "nonsense")])
    assert y_of(runner.run(job, further_plans=lambda *_: [])) == [3, 6, 9]


# The students' package, stand-ins and forbidden built-ins.


def test_the_students_package_is_quiet(runner, small_course):
    source = """import transformer_workbook as wb2
from transformer_workbook import show
import transformer_workbook.show.pictures as pictures
assert wb2 is wb
wb.start("02-sums"); wb.check("scale"); wb.show.heat_map(torch.ones(2)).save(title="x")
with wb.anything() as a: pass
for _ in wb.corpus(): pass
@wb.register
def scale(x):
    return 3 * x
if not wb.check("scale"): raise SystemExit
"""
    outcome = runner.run(small_course.job({"scale": source}))
    assert outcome.cells == {}
    assert y_of(outcome) == [3, 6, 9]


def test_use_gives_stand_ins_of_earlier_lessons(runner, small_course):
    source = """normalize = wb.use("normalize")
one, two = wb.use("normalize", "normalize", quiet=True)
def scale(x):
    return normalize(x) * (one is two)
"""
    outcome = runner.run(small_course.job({"scale": source}))
    expected = torch.nn.functional.layer_norm(torch.tensor([1.0, 2.0, 3.0]), (3,))
    assert torch.allclose(outcome.evidence["scale"].tensors["y"], expected)


@pytest.mark.parametrize(
    "source",
    [
        "scale = wb.use('scale')",
        "wb.use('finish')\nscale = 1",
        "from transformer_workbook.lessons.sums.standins import scale",
        "import transformer_workbook.lessons.later.standins",
        "import importlib\n"
        "scale = importlib.import_module('transformer_workbook.lessons.sums.standins')",
        "def scale(x):\n    return wb.use('scale')(x)",
        "def scale(x):\n"
        "    from transformer_workbook.lessons.sums.standins import shift\n    return shift",
        "def scale(x):\n    import sys\n"
        "    return sys.modules['transformer_workbook.lessons.sums.standins'].scale(x)",
        "def scale(x):\n    return shift.__globals__['scale'](x)",
        "import sys\nfinder = sys.meta_path[0]\n"
        "class Kept(dict):\n    def pop(self, name, *rest):\n        return self[name]\n"
        "finder.stand_ins = Kept(finder.stand_ins)\n"
        "def scale(x):\n    found = {}\n    exec(finder.stand_ins['sums'], found)\n"
        "    return found['scale'](x)",
        "import builtins\nran, run = [], builtins.exec\n"
        "def kept(code, scope=None, *rest):\n"
        "    ran.append(scope)\n    return run(code, scope, *rest)\n"
        "builtins.exec = kept\n"
        "def scale(x):\n"
        "    return {k: v for s in ran for k, v in (s or {}).items()}['scale'](x)",
        "import sys\ndef scale(x):\n"
        "    f = sys._getframe()\n"
        "    while f.f_back:\n        f = f.f_back\n"
        "        for plan in f.f_locals.values():\n"
        "            if isinstance(plan, dict) and 'sources' in plan:\n"
        "                exec('\\n'.join(plan['sources'].values()), found := {})\n"
        "                return found['scale'](x)\n"
        "    raise KeyError",
    ],
)
def test_no_stand_in_of_this_lesson_or_later_is_an_answer(runner, small_course, source):
    outcome = runner.run(small_course.job({"scale": source}))
    failure = the_failure(outcome)
    assert failure is not None
    assert failure.kind == "forbidden" or failure.type in ("KeyError", "AttributeError")


@pytest.mark.parametrize(
    "module", ["student", "student.submission_run", "transformer_workbook.shared.obligations",
               "transformer_workbook.shared.probing", "transformer_workbook.lessons.sums.probes"],
)  # fmt: skip
def test_no_import_leads_to_what_measures_an_answer(runner, small_course, module):
    source = f"""import importlib, sys, types
seen = [name for name in vars(wb) if name in ("submission", "shared", "probes")]
try:
    importlib.import_module({module!r})
except ImportError:
    pass
found = vars(sys.modules.get({module!r}, types.SimpleNamespace()))
real = [name for name, part in found.items() if isinstance(part, types.FunctionType)]
def scale(x):
    return 3 * x if not seen and real in ([], ["__getattr__"]) else {{}}[str(real)]
"""
    outcome = runner.run(small_course.job({"scale": source}))
    assert y_of(outcome) == [3, 6, 9]


def test_a_thread_of_a_cell_does_not_compute_what_a_component_must_not(runner, small_course):
    """It lives on in the process that forks one for each component, and is asked by a pipe."""
    source = """import os, threading
asked, asking = os.pipe()
answered, answering = os.pipe()
def serve():
    while os.read(asked, 1):
        try:
            found = F.layer_norm(torch.tensor([1.0, 2.0, 3.0]), (3,)).tolist()
            os.write(answering, repr(found).encode())
        except BaseException as error:
            os.write(answering, repr(type(error).__name__).encode())
threading.Thread(target=serve, daemon=True).start()
def scale(x):
    os.write(asking, b"?")
    found = eval(os.read(answered, 1000))
    if isinstance(found, str):
        raise KeyError(found)
    return torch.tensor(found)
"""
    outcome = runner.run(small_course.job({"scale": source}))
    assert the_failure(outcome).message == "'WriteThisYourself'"


def test_a_wrong_component_does_not_fail_those_that_use_it(runner, small_course):
    right = runner.run(small_course.job({"scale": TRIPLE, "shift": SHIFT}))
    for wrong in ("def scale(x):\n    return x - 100\n", "def scale(x):\n    ____\n", "scale = (("):
        outcome = runner.run(small_course.job({"scale": wrong, "shift": SHIFT}))
        assert y_of(outcome, "shift") == y_of(right, "shift") == [4, 7, 10]


# Evidence of any size and form.


def test_too_much_evidence_is_none(runner, small_course):
    source = "def scale(x):\n    return torch.zeros(1).expand(2_000_000)\n"
    outcome = runner.run(small_course.job({"scale": source, "offset": OFFSET}))
    assert the_failure(outcome).kind == "died"
    assert y_of(outcome, "offset") == [2, 3, 4]


def test_text_that_cannot_be_written_is_replaced(runner, small_course):
    source = "def scale(x):\n    raise ValueError(chr(0xD800) + 'oops')\n"
    failure = the_failure(runner.run(small_course.job({"scale": source})))
    assert failure.message == "?oops"


def test_an_exception_that_fails_to_be_described_is_a_failure(runner, small_course):
    source = """class Strange(Exception):
    def __str__(self):
        raise self
    def __dir__(self):
        raise self
def scale(x):
    raise Strange
"""
    assert the_failure(runner.run(small_course.job({"scale": source}))).type == "Strange"


# Faults of the grader.


def test_after_a_fault_of_its_own_a_runner_goes_on(small_course, monkeypatch):
    job = small_course.job({"scale": TRIPLE})
    with Runner("none", course=small_course.folder) as runner:
        with monkeypatch.context() as patch:
            patch.setattr(server_process, "START_SCRIPT", os.devnull)
            runner.fork_server.wait_until_ready()
            runner.fork_server.process.kill()
            for _ in range(2):
                with pytest.raises(RunnerFault, match="died twice"):
                    runner.run(job)
        assert y_of(runner.run(job)) == [3, 6, 9]


def test_the_time_that_a_new_server_takes_is_no_submissions(small_course, monkeypatch):
    with Runner("none", Limits(seconds=1.5), course=small_course.folder) as runner:
        runner.run(small_course.job({"scale": TRIPLE}))
        runner.fork_server.process.kill()
        usual = fork_server.ForkServer.wait_until_ready

        def slowly(self, imports=()):
            if not self.is_ready:
                time.sleep(2)
            usual(self, imports)

        monkeypatch.setattr(fork_server.ForkServer, "wait_until_ready", slowly)
        runner.fork_server.is_ready = True  # as it was before it died
        assert y_of(runner.run(small_course.job({"scale": TRIPLE}))) == [3, 6, 9]
