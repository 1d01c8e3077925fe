"""The benchmarks' frame: a table for each, and an exit code that says whether all targets held."""

import io
from types import SimpleNamespace

import pytest
import torch
from rich.console import Console

import benchmarks as bench
from autograder.errors import WrongUsage
from benchmarks import faster, number_words
from transformer_workbook.training.number_words import Config


def outcome(*missed):
    def benchmark(say):
        """A title. And more."""
        say("half way")
        return bench.Measured(["what", "share"], [["one", "99.0 %"]], list(missed))

    return benchmark


def printed(monkeypatch, *some):
    module = SimpleNamespace(**{f"b{place}": one for place, one in enumerate(some)})
    monkeypatch.setattr(bench, "BENCHMARKS", [f"fake:{name}" for name in vars(module)])
    monkeypatch.setattr(bench, "import_module", lambda name: module)
    out = io.StringIO()
    code = bench.run(Console(file=out, width=80))
    return code, out.getvalue()


def test_it_prints_each_table(monkeypatch):
    code, said = printed(monkeypatch, outcome(), outcome())
    assert code == 0
    assert said.count("A title. And more") == 2 and "99.0 %" in said


def test_a_missed_target_is_said_and_fails(monkeypatch):
    code, said = printed(monkeypatch, outcome("too slow"), outcome())
    assert code == 1
    assert "missed: too slow" in said and said.count("A title") == 2


def test_those_that_are_asked_for_run_alone(monkeypatch):
    ran = []
    both = {name: lambda say, name=name: ran.append(name) or outcome()(say) for name in "ab"}
    for one in both.values():
        one.__doc__ = "A title."
    monkeypatch.setattr(bench, "BENCHMARKS", ["m:a", "m:b"])
    monkeypatch.setattr(bench, "import_module", lambda name: SimpleNamespace(**both))
    assert bench.run(Console(file=io.StringIO()), "m:b") == 0
    assert ran == ["b"]
    with pytest.raises(WrongUsage, match="no benchmark 'c'; there are m:a, m:b"):
        bench.run(Console(file=io.StringIO()), "c")


def test_every_benchmark_is_there():
    for name in bench.BENCHMARKS:
        module, _, function = name.partition(":")
        assert bench.import_module(f"benchmarks.{module}").__dict__[function].__doc__


def test_number_words_on_a_small_scale(monkeypatch):
    small = Config(train=60, validation=10, test=80, epochs=1, d_model=16, num_heads=2, d_ff=16)
    monkeypatch.setattr(number_words, "LESSON", small)
    monkeypatch.setattr(number_words, "SEEDS", (0,))
    learn = number_words.learn
    monkeypatch.setattr(number_words, "learn", lambda *rest: learn(*rest, setting=small))
    threads = torch.get_num_threads()
    found = number_words.exact_match(lambda now: None)
    assert torch.get_num_threads() == threads
    assert [len(row) for row in found.rows] == [len(found.columns)] * 2
    assert found.rows[0][:2] == ["0", "1"]
    assert found.missed == ["seed 0 has 0.00% of unseen numbers right, not 99%"]


TINY = {"d_model": 16, "num_heads": 2, "num_layers": 1, "d_ff": 16, "norm_first": True}


def test_decoding_on_a_small_scale():
    threads = torch.get_num_threads()
    seconds, lengths = faster.decoding_seconds(lambda now: None, sizes=TINY, count=16, size=8)
    assert torch.get_num_threads() == threads
    assert len(seconds) == 4 and all(one > 0 for one in seconds.values())
    assert len(lengths) == 16 and min(lengths) > 0


def test_training_on_a_small_scale(monkeypatch):
    monkeypatch.setattr(faster, "ROUNDS", 1)
    seconds, tokens = faster.training_seconds("cpu", lambda now: None, TINY, rows=2)
    assert len(seconds) == 3 and all(one > 0 for one in seconds.values())
    assert 16 <= tokens <= 28


def test_sources_are_as_long_as_those_of_multi30k():
    lengths = (faster.sources_by_length(1000) != faster.PAD).sum(dim=1)
    assert lengths.tolist() == sorted(lengths.tolist(), reverse=True)
    assert lengths.min() >= 6 and lengths.max() <= 40 and 13 <= lengths.median() <= 15
