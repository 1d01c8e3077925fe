import itertools
from types import SimpleNamespace

import pytest
import torch

from transformer import beam_search, greedy_decode, make_model

PAD, BOS, EOS = 0, 1, 2
V = 6
SRC = torch.tensor([[3, 4, 5, 4], [5, 3, 0, 0], [4, 0, 0, 0]])


def draw_model(seed, bias=()):
    """A tiny model with strong opinions, none of them padding."""
    torch.manual_seed(seed)
    model = make_model(V, V, d_model=8, num_heads=2, num_layers=1, d_ff=12, dropout=0.5)
    with torch.no_grad():
        model.generator.proj.weight.mul_(2.5)
        model.generator.proj.bias[PAD] = -30
        for token, value in bias:
            model.generator.proj.bias[token] = value
    return model


def scripted(next_log_probs, pad_id=PAD):
    """A model that reads what comes next from a table: from ids so far to probabilities."""

    def generator(decoded):
        ids = decoded.long().tolist()
        return torch.tensor([next_log_probs(tuple(row)) for row in ids]).log()

    def decode(tgt, memory, src_mask=None, tgt_mask=None):
        assert len(tgt) == len(memory) == len(src_mask)
        return tgt.unsqueeze(1).expand(-1, tgt.size(1), -1).float()

    return SimpleNamespace(
        encode=lambda src, src_mask=None: src.unsqueeze(-1).float(),
        decode=decode,
        generator=generator,
        pad_id=pad_id,
        training=True,
        eval=lambda: None,
        train=lambda mode: None,
    )


def ends(row):
    return row.index(EOS) + 1 if EOS in row else len(row)


@torch.no_grad()
def log_probs(model, src, ids):
    """The sum of log-probabilities of each translation of one sentence, by teacher forcing."""
    steps = model.eval()(src.expand(len(ids), -1), ids[:, :-1]).gather(2, ids[:, 1:, None])
    return steps.sum(dim=(1, 2))


def best_by_exhaustion(model, src, max_len, length_penalty):
    """Score every translation that there is, and return the best."""
    every = []
    for length in range(1, max_len):
        whole = [
            [BOS, *tokens]
            for tokens in itertools.product(range(V), repeat=length)
            if EOS not in tokens[:-1] and PAD not in tokens
            and (tokens[-1] == EOS or length == max_len - 1)
        ]  # fmt: skip
        scores = log_probs(model, src, torch.tensor(whole)) / ((5 + length) / 6) ** length_penalty
        every += zip(scores.tolist(), whole, strict=True)
    return max(every)[1]


@pytest.mark.parametrize("seed", range(5))
def test_greedy_takes_the_likeliest_token_at_each_step(seed):
    model = draw_model(seed)
    ids = greedy_decode(model, SRC, 9, BOS, EOS)
    model.eval()
    for src, row in zip(SRC.split(1), ids.tolist(), strict=True):
        row = row[: ends(row)]
        likeliest = model(src, torch.tensor([row[:-1]])).argmax(-1)
        assert likeliest[0].tolist() == row[1:]


def test_greedy_pads_after_eos_and_stops_when_all_have_ended():
    def table(ids):
        length = 2 if len(ids) == 2 and ids[1] == 3 else 4
        return [0.1, 0.1, 0.5, 0.2, 0.1] if len(ids) >= length else [0, 0, 0, 1 - 0.1, 0.1]

    ids = greedy_decode(scripted(table), SRC, 50, BOS, EOS)
    assert ids.tolist() == [[BOS, 3, EOS]] * 3


@pytest.mark.parametrize("decode", [greedy_decode, beam_search])
def test_rows_that_never_end_stop_at_max_len(decode):
    model = draw_model(0, bias=[(EOS, -30)])
    for max_len in (1, 2, 7):
        ids = decode(model, SRC, max_len, BOS, EOS)
        assert ids.shape == (3, max_len) and ids.dtype == torch.long
        assert (ids[:, 0] == BOS).all() and not (ids == EOS).any()


@pytest.mark.parametrize("decode", [greedy_decode, beam_search])
@pytest.mark.parametrize("training", [True, False])
def test_decoding_is_in_eval_mode_without_gradients(decode, training):
    model = draw_model(1).train(training)
    modes = []
    model.generator.register_forward_hook(
        lambda module, inputs, output: modes.append((module.training, output.requires_grad))
    )
    first, second = (decode(model, SRC, 7, BOS, EOS) for _ in range(2))
    assert torch.equal(first, second)
    assert set(modes) == {(False, False)}
    assert model.training == training


@pytest.mark.parametrize("length_penalty", [0.0, 0.6, 2.0])
@pytest.mark.parametrize("seed", range(4))
def test_a_wide_beam_equals_exhaustive_search(seed, length_penalty):
    model, max_len = draw_model(seed), 4
    ids = beam_search(model, SRC, max_len, BOS, EOS, V**3, length_penalty).tolist()
    for src, row in zip(SRC.split(1), ids, strict=True):
        assert row[: ends(row)] == best_by_exhaustion(model, src, max_len, length_penalty)
        assert set(row[ends(row) :]) <= {PAD}


def test_beam_1_equals_greedy():
    lengths = set()
    for seed in range(12):
        model = draw_model(seed)
        greedy = greedy_decode(model, SRC, 8, BOS, EOS)
        assert torch.equal(beam_search(model, SRC, 8, BOS, EOS, beam_size=1), greedy)
        lengths |= {ends(row) for row in greedy.tolist()}
    assert len(lengths) > 2  # some end early, some late


def test_beam_finds_what_greedy_misses():
    def table(ids):
        after = {(): [0, 0, 0, 0.6, 0.4], (3,): [0, 0, 0.3, 0.35, 0.35], (4,): [0, 0, 1, 0, 0]}
        return after.get(ids[1:], [0, 0, 0.4, 0.3, 0.3])

    model = scripted(table)
    assert greedy_decode(model, SRC, 4, BOS, EOS)[0].tolist()[:2] == [BOS, 3]
    found = beam_search(model, SRC, 4, BOS, EOS, beam_size=2, length_penalty=0.0)
    assert found.tolist() == [[BOS, 4, EOS]] * 3


def test_length_penalty_favours_the_longer():
    # EOS at once has probability 0.5; a token and then EOS 0.45. Over ((5 + length) / 6) ** 1:
    # log 0.5 / 1 = -0.693, log 0.45 / (7 / 6) = -0.684.
    def table(ids):
        return [0, 0, 0.5, 0.45, 0.05] if len(ids) == 1 else [0, 0, 1, 0, 0]

    model = scripted(table)
    short = beam_search(model, SRC, 5, BOS, EOS, length_penalty=0.0)
    long = beam_search(model, SRC, 5, BOS, EOS, length_penalty=1.0)
    assert short.tolist() == [[BOS, EOS]] * 3
    assert long.tolist() == [[BOS, 3, EOS]] * 3
