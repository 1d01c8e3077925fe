"""A run ends in a translator, wherever it was interrupted, and on whatever it runs."""

import dataclasses

import pytest
import torch

import transformer
from transformer_workbook.lessons import translation
from transformer_workbook.lessons.translation import (
    Corpus,
    TokenBatches,
    hardware,
    linear_rate,
    padding_of,
)
from transformer_workbook.lessons.translation.run import noam_rate
from transformer_workbook.lessons.translation.subwords import BOS, EOS, Subwords
from transformer_workbook.shared import memory
from transformer_workbook.trainer.checkpoints import BadCheckpoint


def weights(outcome):
    return {name: one.clone() for name, one in outcome.translator.model.state_dict().items()}


def assert_same(one, other):
    assert one.keys() == other.keys()
    assert all(torch.equal(one[name], other[name]) for name in one)


def test_made_up_sentences_are_learnt(corpus, parts, setting, cpu, tmp_path):
    longer = dataclasses.replace(setting, epochs=60, score_every=30, dropout=0.0, peak=3e-3)
    outcome = translation.train(corpus, longer, parts, tmp_path, hardware=cpu, quiet=True)
    assert outcome.run.losses[-1] < 0.3 < outcome.run.losses[0]
    steps = len(outcome.run.losses)
    assert [step for step, _ in outcome.run.scores] == [steps // 2, steps]
    score = outcome.translator.bleu(corpus.train, parts.greedy_decode)
    assert score.score > 90
    assert "case:mixed" in score.signature and "tok:13a" in score.signature
    picture = outcome.translator.alignment(corpus.train[0][0], parts.greedy_decode)
    assert corpus.train[0][0] in picture.alt


class Disconnected(Exception):
    pass


@pytest.mark.parametrize("step", [3, 11])
def test_run_that_was_disconnected_goes_on_to_the_same_result(
    corpus, parts, setting, cpu, tmp_path, step, monkeypatch
):
    expected = translation.train(
        corpus, setting, parts, tmp_path / "whole", hardware=cpu, quiet=True
    )
    left = [step]

    def cut_off(*arguments, **options):
        left[0] -= 1
        if left[0] < 0:
            raise Disconnected
        return parts.mixed_precision_step(*arguments, **options)

    broken = dataclasses.replace(parts, mixed_precision_step=cut_off)
    with pytest.raises(Disconnected):
        translation.train(corpus, setting, broken, tmp_path / "cut", hardware=cpu, quiet=True)
    again = translation.train(corpus, setting, parts, tmp_path / "cut", hardware=cpu, quiet=True)
    assert again.run.losses == expected.run.losses
    assert_same(weights(again), weights(expected))


def test_weights_are_those_of_the_last_epoch_or_the_mean_of_the_last_ones(
    corpus, parts, setting, cpu, tmp_path
):
    outcome = translation.train(corpus, setting, parts, tmp_path, hardware=cpu, quiet=True)
    files = sorted(tmp_path.glob("run-epoch-*.safetensors"))
    assert [file.stem for file in files] == ["run-epoch-0002", "run-epoch-0003"]
    states = [transformer_weights(file) for file in files]
    assert outcome.taken == "last"
    assert_same(weights(outcome), states[-1])
    outcome.take("average")
    assert_same(weights(outcome), transformer.average_weights(states))
    with pytest.raises(ValueError, match=r"no weights called 'best'.*\['last', 'average'\]"):
        outcome.take("best")


def test_a_run_without_its_last_epochs_says_what_is_missing(corpus, parts, setting, cpu, tmp_path):
    how = {"hardware": cpu, "quiet": True}
    translation.train(corpus, setting, parts, tmp_path, **how)
    for file in tmp_path.glob("run-epoch-*.safetensors"):
        file.unlink()
    with pytest.raises(BadCheckpoint, match=r"run-epoch-\.\.\. there, too"):
        translation.train(corpus, setting, parts, tmp_path, **how)


def test_weights_of_an_earlier_run_are_not_averaged_with_a_new_ones(
    corpus, parts, setting, cpu, tmp_path
):
    how = {"hardware": cpu, "quiet": True}
    translation.train(corpus, setting, parts, tmp_path, **how)
    shorter = dataclasses.replace(setting, epochs=2)
    again = translation.train(corpus, shorter, parts, tmp_path, restart=True, **how)
    files = sorted(tmp_path.glob("run-epoch-*.safetensors"))
    assert [file.stem for file in files] == ["run-epoch-0001", "run-epoch-0002"]
    states = [transformer_weights(file) for file in files]
    assert_same(again.weights["average"], transformer.average_weights(states))


def transformer_weights(file):
    from safetensors.torch import load_file

    return load_file(file)


def test_lower_precision_trains_too(corpus, parts, setting, tmp_path):
    low = dataclasses.replace(translation.detect("cpu"), dtype=torch.bfloat16)
    outcome = translation.train(corpus, setting, parts, tmp_path, hardware=low, quiet=True)
    assert outcome.run.losses[-1] < outcome.run.losses[0]


def test_fixed_fill_value_that_float16_lacks_is_explained(corpus, parts, setting, cpu, tmp_path):
    def attention_of_a_student(*_, **__):
        return torch.zeros(2, dtype=torch.float16).masked_fill(torch.tensor([True, False]), -1e9)

    broken = dataclasses.replace(parts, mixed_precision_step=attention_of_a_student)
    with pytest.raises(OverflowError, match=r"float16, whose largest number is 65504.*lesson 01"):
        translation.train(corpus, setting, broken, tmp_path, hardware=cpu, quiet=True)


def test_how_long_it_takes_is_said(corpus, parts, setting, cpu, capsys):
    assert translation.minutes(corpus, setting, parts, hardware=cpu) > 0
    assert "less than a minute" in capsys.readouterr().out


def test_rate_rises_then_falls_to_nothing():
    rate = linear_rate(100)
    rates = [rate(step, 64, 10, 0.5) for step in range(1, 101)]
    assert max(rates) == rates[9] == 0.5
    assert rates[:10] == sorted(rates[:10]) and rates[9:] == sorted(rates[9:], reverse=True)
    assert 0 < rates[-1] < 0.01


def test_noams_schedule_rises_as_high_as_the_line():
    for step in (1, 9, 10, 11, 90):
        papers = transformer.noam_lr(step, 64, 10, 0.5 * (64 * 10) ** 0.5)
        assert noam_rate(step, 64, 10, 0.5) == pytest.approx(papers)


def test_what_can_be_compared_is_what_is_trained(corpus, parts, setting, cpu, tmp_path):
    other = dataclasses.replace(setting, noam=True, tie_weights=False)
    untied, tied = (
        translation.train(corpus, one, parts, tmp_path / name, hardware=cpu, quiet=True)
        for name, one in (("untied", other), ("tied", dataclasses.replace(setting, noam=True)))
    )
    counts = [len(list(one.translator.model.parameters())) for one in (untied, tied)]
    assert counts[0] - counts[1] == 2  # target words and projection have tables of their own
    line = translation.train(corpus, setting, parts, tmp_path / "line", hardware=cpu, quiet=True)
    assert line.run.losses[:4] == tied.run.losses[:4]  # up to the end of the warm-up
    assert line.run.losses[-1] != tied.run.losses[-1]


class TestBatches:
    @pytest.fixture
    def batches(self, pairs):
        subwords = Subwords.learn([side for pair in pairs for side in pair], 320)
        return TokenBatches(pairs, subwords, transformer.token_batches, 64)

    def test_an_epoch_is_the_same_when_asked_for_again_and_unlike_the_next(self, batches):
        def flat(epoch):
            return [ids.tolist() for batch in batches(epoch) for ids in batch]

        assert flat(1) == flat(1) != flat(2)

    def test_every_pair_is_there_with_its_marks(self, batches, pairs):
        rows = [row for _, tgt in batches(0) for row in tgt.tolist()]
        assert len(rows) == len(pairs)
        assert all(row[0] == BOS and row.count(EOS) == 1 for row in rows)

    def test_no_batch_is_larger_than_allowed_and_padding_is_little(self, batches):
        assert all(ids.numel() <= 64 for batch in batches(0) for ids in batch)
        assert padding_of(batches) < 0.2


@pytest.mark.parametrize(
    ("capability", "dtype", "scales"),
    [
        pytest.param((7, 5), torch.float16, True, id="T4"),
        pytest.param((8, 0), torch.bfloat16, False, id="A100"),
        pytest.param((9, 0), torch.bfloat16, False, id="H200"),
    ],
)
def test_each_gpu_gets_the_precision_it_is_good_at(monkeypatch, capability, dtype, scales):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda _: capability)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda _: "a GPU")
    found = translation.detect()
    assert (found.dtype, found.scales_gradients, found.device.type) == (dtype, scales, "cuda")
    assert translation.choose(found) is translation.CONFIGS["gpu"]


def test_setting_that_is_not_there_is_named(cpu):
    assert translation.choose(cpu) is translation.CONFIGS["cpu"]
    with pytest.raises(ValueError, match="'huge'.*trial"):
        translation.choose(cpu, "huge")


def test_a_containers_limit_counts_as_its_memory(tmp_path, monkeypatch):
    whole = memory.memory()
    (tmp_path / "memory.max").write_text("2147483648\n")
    monkeypatch.setattr(memory, "_CONTAINER_LIMITS", (tmp_path / "memory.max", tmp_path / "none"))
    assert memory.memory() == 2 << 30 < whole
    (tmp_path / "memory.max").write_text("max\n")
    assert memory.memory() > 2 << 30


def test_a_processor_computes_in_bfloat16_only_where_there_is_room(monkeypatch):
    monkeypatch.setattr(hardware, "_has_bfloat16", lambda: True)
    for size, expected in ((2 << 30, None), (16 << 30, torch.bfloat16)):
        monkeypatch.setattr(hardware, "memory", lambda size=size: size)
        assert translation.detect("cpu").dtype is expected


def test_freed_memory_is_kept_only_where_there_is_room(monkeypatch):
    asked = []
    monkeypatch.setattr(hardware.ctypes, "CDLL", lambda _: asked.append("glibc") or object())
    for size in (2 << 30, 16 << 30):
        monkeypatch.setattr(hardware, "memory", lambda size=size: size)
        hardware.keep_freed_memory()
    assert asked == ["glibc"]


@pytest.mark.parametrize("change", [{"dropout": 0.2}, {"epochs": 4}, {"smoothing": 0.0}])
def test_another_setting_does_not_go_on_with_a_run(corpus, parts, setting, cpu, tmp_path, change):
    how = {"hardware": cpu, "quiet": True}
    translation.train(corpus, setting, parts, tmp_path, **how)
    other = dataclasses.replace(setting, **change)
    with pytest.raises(BadCheckpoint, match=f"its {next(iter(change))} is"):
        translation.train(corpus, other, parts, tmp_path, **how)
    scored = dataclasses.replace(setting, score_every=3, beam_size=3)
    again = translation.train(corpus, scored, parts, tmp_path, **how)
    assert len(again.run.losses) % setting.epochs == 0
    begun = translation.train(corpus, other, parts, tmp_path, restart=True, **how)
    assert len(begun.run.losses) == len(again.run.losses) * other.epochs / setting.epochs


def test_begun_anew_a_run_learns_its_own_vocabulary(corpus, parts, setting, cpu, tmp_path):
    how = {"hardware": cpu, "quiet": True}
    translation.train(corpus, setting, parts, tmp_path, **how)
    other = dataclasses.replace(setting, vocabulary=290)
    with pytest.raises(BadCheckpoint, match="its vocabulary is 320, now it is 290"):
        translation.train(corpus, other, parts, tmp_path, **how)
    outcome = translation.train(corpus, other, parts, tmp_path, restart=True, **how)
    assert len(outcome.translator.subwords) == 290


def test_another_corpus_does_not_go_on_with_a_run(corpus, parts, setting, cpu, tmp_path):
    how = {"hardware": cpu, "quiet": True}
    translation.train(corpus, setting, parts, tmp_path, **how)
    other = Corpus("others", corpus.train[1:], corpus.validation, corpus.test)
    expected = r"its corpus is made up, 28, \w+, now it is others, 27, \w+\. Set it back.*restart"
    with pytest.raises(BadCheckpoint, match=expected):
        translation.train(other, setting, parts, tmp_path, **how)


def test_a_vocabulary_is_never_that_of_an_earlier_corpus(corpus, parts, setting, cpu, tmp_path):
    """As after a run that ended before its first checkpoint."""
    other = Corpus("others", [("xyz xyz", "zyx zyx")] * 40, corpus.validation, corpus.test)
    left = Subwords.learn([side for pair in other.train for side in pair], setting.vocabulary)
    left.save(tmp_path / "vocabulary.json")
    outcome = translation.train(corpus, setting, parts, tmp_path, hardware=cpu, quiet=True)
    assert outcome.translator.subwords.merges != left.merges
    saved = Subwords.load(tmp_path / "vocabulary.json")
    assert saved.merges == outcome.translator.subwords.merges


def test_what_the_translator_has_is_said(corpus, parts, setting, cpu, tmp_path, capsys):
    translation.train(corpus, setting, parts, tmp_path, hardware=cpu)
    said = " ".join(capsys.readouterr().out.split())
    assert "has the weights of the last epoch" in said and "mean of the last 2 is better" in said
    assert "weights of that step" not in said
    translation.train(corpus, setting, parts, tmp_path, hardware=cpu)
    assert "trained already" in " ".join(capsys.readouterr().out.split())


def test_attention_needs_no_plan_for_each_shape(corpus, parts, setting, cpu, tmp_path):
    torch.backends.cuda.enable_cudnn_sdp(True)
    translation.train(corpus, setting, parts, tmp_path, hardware=cpu, quiet=True)
    assert not torch.backends.cuda.cudnn_sdp_enabled()
