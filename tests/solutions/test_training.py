import math

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from transformer import LabelSmoothing, evaluate, make_model, noam_lr, shift_right, train_step

SIZES = {"d_model": 12, "num_heads": 3, "num_layers": 1, "d_ff": 20}
SRC = torch.tensor([[3, 4, 5], [6, 7, 0]])
TGT = torch.tensor([[1, 5, 6, 2], [1, 7, 2, 0]])


def test_the_decoder_reads_all_but_the_last_and_says_all_but_the_first():
    decoder_input, labels = shift_right(TGT)
    assert decoder_input.tolist() == [[1, 5, 6], [1, 7, 2]]
    assert labels.tolist() == [[5, 6, 2], [7, 2, 0]]


def test_label_smoothing_equals_a_count_by_hand():
    # V = 5, padding is token 2, smoothing 0.3: the right token gets 0.7, three others 0.1 each.
    log_probs = torch.tensor(
        [[0.1, 0.2, 0.1, 0.5, 0.1], [0.6, 0.1, 0.1, 0.1, 0.1], [0.2] * 5], dtype=torch.float64
    ).log()
    target = torch.tensor([3, 0, 2])
    first = 0.7 * math.log(0.7 / 0.5) + 0.1 * math.log(0.1 / 0.2)
    second = 0.7 * math.log(0.7 / 0.6)
    loss = LabelSmoothing(5, pad_id=2, smoothing=0.3)(log_probs, target)
    assert loss.shape == ()
    assert loss.item() == pytest.approx((first + second) / 2, abs=1e-12)


def test_label_smoothing_is_zero_and_flat_at_its_own_target():
    log_probs = torch.tensor([[0.1, 0.1, 1e-30, 0.7, 0.1]], dtype=torch.float64).log()
    log_probs.requires_grad_()
    loss = LabelSmoothing(5, pad_id=2, smoothing=0.3)(log_probs, torch.tensor([3]))
    loss.backward()
    assert loss.item() == pytest.approx(0, abs=1e-12)
    torch.testing.assert_close(log_probs.grad, -torch.tensor([[0.1, 0.1, 0, 0.7, 0.1]]).double())


def test_no_smoothing_is_cross_entropy():
    logits, target = torch.randn(2, 3, 7), torch.tensor([[1, 6, 0], [2, 2, 2]])
    loss = LabelSmoothing(7, pad_id=0, smoothing=0.0)(logits.log_softmax(-1), target)
    torch.testing.assert_close(loss, F.cross_entropy(logits.mT, target, ignore_index=0))


def test_label_smoothing_takes_sentences_or_rows():
    log_probs = torch.randn(2, 3, 7).log_softmax(-1)
    target = torch.tensor([[1, 6, 0], [2, 2, 2]])
    loss_fn = LabelSmoothing(7, pad_id=0)
    rows = loss_fn(log_probs.flatten(0, 1), target.flatten())
    torch.testing.assert_close(loss_fn(log_probs, target), rows)
    sliced = loss_fn(log_probs[:, :-1], target[:, :-1])
    torch.testing.assert_close(sliced, loss_fn(log_probs[:, :-1].clone(), target[:, :-1].clone()))


@pytest.mark.parametrize("padded", [0, 1, 3], ids=["no padding", "one padded", "all padded"])
def test_padded_positions_contribute_nothing(padded):
    log_probs = torch.randn(3, 7).log_softmax(-1).requires_grad_()
    target = torch.tensor([4, 5, 6])
    target[3 - padded :] = 0
    loss_fn = LabelSmoothing(7, pad_id=0)
    loss = loss_fn(log_probs, target)
    loss.backward()
    assert (log_probs.grad[3 - padded :] == 0).all()
    if padded < 3:
        real = slice(0, 3 - padded)
        torch.testing.assert_close(loss, loss_fn(log_probs[real], target[real]))
        assert (log_probs.grad[real] != 0).any()
    else:
        assert loss.item() == 0


def test_learning_rate_equals_equation_3():
    assert noam_lr(1, 512) == pytest.approx(512**-0.5 * 4000**-1.5)
    assert noam_lr(4000, 512) == pytest.approx((512 * 4000) ** -0.5)
    assert noam_lr(16000, 512) == pytest.approx(noam_lr(4000, 512) / 2)
    assert noam_lr(3, 64, warmup=10, factor=2.0) == pytest.approx(2 / 8 * 3 / 10**1.5)


def test_train_step_returns_the_loss_it_found_and_learns():
    torch.manual_seed(0)
    model = make_model(11, 13, **SIZES, dropout=0.0)
    loss_fn = LabelSmoothing(13, pad_id=0)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    expected = loss_fn(model(SRC, TGT[:, :-1]), TGT[:, 1:]).item()
    losses = [train_step(model, (SRC, TGT), loss_fn, optimizer) for _ in range(40)]
    assert isinstance(losses[0], float)
    assert losses[0] == pytest.approx(expected, rel=1e-5)
    assert losses[-1] < losses[0] / 10


def moves(max_norm):
    """How one step of plain gradient descent moves the parameters of a model."""
    torch.manual_seed(0)
    model = make_model(11, 13, **SIZES, dropout=0.0)
    before = [p.detach().clone() for p in model.parameters()]
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    train_step(model, (SRC, TGT), LabelSmoothing(13, 0), optimizer, max_norm=max_norm)
    after = model.parameters()
    return torch.cat([(p - old).flatten() for p, old in zip(after, before, strict=True)]).detach()


def test_train_step_clips_the_gradients():
    free, clipped = moves(max_norm=1e6), moves(max_norm=0.25)
    assert free.norm() > 0.3
    torch.testing.assert_close(clipped, free * 0.25 / free.norm(), rtol=1e-3, atol=1e-5)


class Unlearned(nn.Module):
    """Knows nothing but how often each token comes; returns logits; notes its mode."""

    def __init__(self, pad_id):
        super().__init__()
        self.logits = nn.Parameter(torch.arange(13.0))
        self.pad_id = pad_id
        self.modes = []

    def forward(self, src, tgt):
        self.modes.append((self.training, torch.is_grad_enabled()))
        return self.logits.expand(*tgt.shape, -1)


def test_losses_are_of_log_probabilities_whatever_the_model_returns():
    model = Unlearned(pad_id=0)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
    logits = model.logits.detach().expand(2, 3, -1)
    expected = F.cross_entropy(logits.mT, TGT[:, 1:], ignore_index=0).item()
    loss_fn = LabelSmoothing(13, 0, smoothing=0.0)
    assert train_step(model, (SRC, TGT), loss_fn, optimizer) == pytest.approx(expected, rel=1e-5)
    assert evaluate(model, [(SRC, TGT)], loss_fn) == pytest.approx(expected, rel=1e-5)


def test_evaluate_counts_tokens_not_batches():
    model, loss_fn = Unlearned(pad_id=0), LabelSmoothing(13, 0)
    short = SRC[:1], torch.tensor([[1, 9, 0, 0]])
    together = SRC[[0, 1, 0]], torch.cat([TGT, short[1]])
    whole = evaluate(model, [together], loss_fn)
    assert evaluate(model, iter([(SRC, TGT), short]), loss_fn) == pytest.approx(whole, rel=1e-5)
    only_padding = SRC[:1], torch.tensor([[1, 0, 0, 0]])
    assert evaluate(model, [together, only_padding], loss_fn) == pytest.approx(whole, rel=1e-5)


@pytest.mark.parametrize("training", [True, False])
def test_evaluate_leaves_the_mode_as_it_found_it(training):
    model = Unlearned(pad_id=0).train(training)
    evaluate(model, [(SRC, TGT)], LabelSmoothing(13, 0))
    assert model.modes == [(False, False)]
    assert model.training == training
    assert torch.is_grad_enabled()
