"""Each fast part gives what the slow one gives, on random models of many kinds."""

import pytest
import torch

import transformer

V = 7
SRC = torch.randint(3, V, (12, 6), generator=torch.Generator().manual_seed(0))
for row in range(12):
    SRC[row, 6 - row % 5 :] = 0
TGT = torch.tensor([[1, 5, 6, 3, 2], [1, 4, 2, 0, 0], [1, 2, 0, 0, 0], [1, 3, 4, 2, 0]])
KINDS = [
    {"num_layers": 1, "num_heads": 3},
    {"num_layers": 2, "num_heads": 2, "norm_first": True},
    {"num_layers": 2, "num_heads": 4, "positions": "learned"},
]


def draw_model(seed, **kind):
    torch.manual_seed(seed)
    model = transformer.make_model(V, V, d_model=12, d_ff=20, dropout=0.3, max_len=20, **kind)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if parameter.dim() == 1:
                parameter.add_(0.3 * torch.randn_like(parameter))
            if "src_embed" in name or "cross_attn.w_" in name:
                parameter.mul_(2)  # what is written depends on the source
        model.generator.proj.weight.mul_(2.5)
        model.generator.proj.bias.add_(torch.tensor([-30.0, 0, 1, 0, 0, 0, 0]))
    return model.double()


@pytest.mark.parametrize("kind", KINDS)
def test_a_fused_model_says_and_learns_the_same(kind):
    plain = draw_model(0, **kind).eval()
    fused = draw_model(0, **kind).eval()
    assert transformer.fuse(fused) is fused
    names = [name for name, _ in plain.named_parameters()]
    assert [name for name, _ in fused.named_parameters()] == names
    assert list(fused.state_dict()) == list(plain.state_dict())
    for model, loss in (
        (plain, transformer.LabelSmoothing(V, 0)),
        (fused, transformer.FusedLabelSmoothing(V, 0)),
    ):
        loss(model(SRC[:4], TGT[:, :-1]), TGT[:, 1:]).backward()
    for name in names:
        torch.testing.assert_close(
            fused.get_parameter(name).grad, plain.get_parameter(name).grad, msg=name
        )


def test_fused_attention_drops_weights_in_training_alone():
    attention = transformer.MultiHeadAttention(12, 3, dropout=1.0)
    fused = transformer.FusedMultiHeadAttention(attention)
    x = torch.randn(2, 5, 12)
    torch.testing.assert_close(fused(x, x, x), attention.w_o.bias.expand(2, 5, 12))
    torch.testing.assert_close(fused.eval()(x, x, x), attention.eval()(x, x, x))


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.9])
@pytest.mark.parametrize("target", [TGT, TGT[:1], torch.zeros_like(TGT)], ids=["", "full", "none"])
def test_fused_label_smoothing(smoothing, target):
    logits = torch.randn(*target.shape, V, dtype=torch.float64)
    found = []
    for kind in (transformer.LabelSmoothing, transformer.FusedLabelSmoothing):
        leaf = logits.clone().requires_grad_()
        loss = kind(V, 0, smoothing)(leaf.log_softmax(-1), target)
        loss.backward()
        found.append((loss, leaf.grad))
    torch.testing.assert_close(*found)


@pytest.mark.parametrize("rate", [0.1, 0.5, 1.0])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_fast_dropout_drops_and_scales_as_nn_dropout(rate, dtype):
    torch.manual_seed(0)
    fast = transformer.FastDropout(torch.nn.Dropout(rate))
    x = torch.ones(1000, 101, dtype=dtype, requires_grad=True)
    output = fast(x)
    assert output.shape == x.shape and output.dtype == dtype
    dropped = output == 0
    assert dropped.float().mean().item() == pytest.approx(rate, abs=0.01)
    if rate < 1:
        expected = torch.tensor(1 / (1 - rate), dtype=dtype)
        torch.testing.assert_close(output[~dropped], expected.expand((~dropped).sum()))
    output.sum().backward()
    assert torch.equal(x.grad, output.detach())


def test_fast_dropout_draws_each_number_by_itself():
    torch.manual_seed(0)
    fast = transformer.FastDropout(torch.nn.Dropout(0.5))
    dropped = (fast(torch.ones(100_000, 8)) == 0).float()
    torch.testing.assert_close(torch.cov(dropped.T), torch.eye(8) / 4, atol=0.005, rtol=0)


def test_fast_dropout_leaves_alone_what_is_not_dropped():
    x = torch.randn(3, 5)
    assert torch.equal(transformer.FastDropout(torch.nn.Dropout(0.5)).eval()(x), x)
    assert torch.equal(transformer.FastDropout(torch.nn.Dropout(0.0))(x), x)
    assert transformer.FastDropout(torch.nn.Dropout(0.5))(x.to("meta")).shape == x.shape


@pytest.mark.parametrize("fused", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_cached_decoding_finds_the_same_ids(kind, fused):
    lengths = set()
    for seed in (1, 2, 3):
        model = draw_model(seed, **kind)
        if fused:
            transformer.fuse(model)
        for max_len in (1, 9):
            ids = transformer.greedy_decode(model, SRC, max_len, 1, 2)
            assert torch.equal(transformer.cached_greedy_decode(model, SRC, max_len, 1, 2), ids)
            lengths |= set((ids == 2).int().argmax(1).tolist())
            for beam_size, penalty in ((1, 0.6), (3, 0.0), (4, 2.0), (V + 2, 0.6)):
                options = (model, SRC, max_len, 1, 2, beam_size, penalty)
                ids = transformer.beam_search(*options)
                assert torch.equal(transformer.cached_beam_search(*options), ids)
    assert len(lengths) > 2, lengths  # some end early, some late


@pytest.mark.parametrize("decode", ["cached_greedy_decode", "cached_beam_search"])
@pytest.mark.parametrize("training", [True, False])
def test_the_model_is_given_back_as_it_was(decode, training):
    model = draw_model(1, **KINDS[0]).train(training)
    before = dict(model.named_modules())
    reads = []
    model.decoder.register_forward_pre_hook(lambda _, inputs: reads.append(inputs[0].shape))
    getattr(transformer, decode)(model, SRC, 9, 1, 2)
    assert dict(model.named_modules()) == before
    assert all(part.training == training for part in model.modules())
    assert {shape[1] for shape in reads} == {1}  # one position a step
    rows = [shape[0] for shape in reads]
    assert rows[0] == len(SRC)  # all beginnings of a beam are alike at first
    assert rows[-1] < max(rows)  # who has ended is left out


def test_the_model_is_given_back_when_decoding_fails():
    model = draw_model(0, **KINDS[0])
    before = list(model.modules())
    with pytest.raises(ValueError, match="max_len"):
        transformer.cached_greedy_decode(model, SRC, 50, 1, eos_id=V + 1)
    assert list(model.modules()) == before
