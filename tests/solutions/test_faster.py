"""Each fast part gives what the slow one gives, on random models of many kinds."""

import inspect
from pathlib import Path

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


@pytest.mark.parametrize("padding", [-30.0, 2.0], ids=["", "padding is written"])
@pytest.mark.parametrize("fused", [False, True], ids=["", "fused"])
@pytest.mark.parametrize("kind", KINDS)
def test_cached_decoding_finds_the_same_ids(kind, fused, padding):
    lengths, written = set(), set()
    for seed in (2, 17, 19):
        model = draw_model(seed, **kind)
        model.generator.proj.bias.data[0] = padding
        if fused:
            transformer.fuse(model)
        for max_len in (1, 9):
            ids = transformer.greedy_decode(model, SRC, max_len, 1, 2)
            assert torch.equal(transformer.cached_greedy_decode(model, SRC, max_len, 1, 2), ids)
            lengths |= set((ids == 2).int().argmax(1).tolist())
            written |= set(ids[~(ids == 2).any(1)].flatten().tolist())  # of what has not ended
            for beam_size, penalty in ((1, 0.6), (3, 0.0), (4, 2.0), (V + 2, 0.6)):
                options = (model, SRC, max_len, 1, 2, beam_size, penalty)
                ids = transformer.beam_search(*options)
                assert torch.equal(transformer.cached_beam_search(*options), ids)
    assert (0 in written) == (padding > 0)
    assert padding > 0 or len(lengths) > 2, lengths  # some end early, some late


@pytest.mark.parametrize("decode", ["cached_greedy_decode", "cached_beam_search"])
@pytest.mark.parametrize("training", [True, False])
def test_one_position_is_read_at_each_step_and_the_model_stays_as_it_is(decode, training):
    model = draw_model(1, **KINDS[0]).train(training)
    before, read = dict(model.named_modules()), []
    for layer in model.decoder.layers:
        layer.self_attn.w_k.register_forward_pre_hook(lambda _, inputs: read.append(inputs[0]))
    getattr(transformer, decode)(model, SRC, 9, 1, 2)
    assert dict(model.named_modules()) == before
    assert all(part.training == training for part in model.modules())
    assert {x.size(1) for x in read} == {1}
    assert not any(x.requires_grad for x in read)


@pytest.mark.parametrize("decode", ["cached_greedy_decode", "cached_beam_search"])
def test_after_an_error_the_model_is_in_its_mode_again(decode):
    model = draw_model(0, **KINDS[2]).train()  # 20 learned positions
    with pytest.raises(ValueError, match="max_len"):
        getattr(transformer, decode)(model, SRC, 50, 1, eos_id=V + 1)
    assert all(part.training for part in model.modules())


def test_keys_stay_where_they_are_and_follow_their_rows():
    keys, values = torch.randn(2, 3, 2, 5, 4).unbind()
    cache = transformer.KeyValueCache(5)
    first, _ = cache.append(keys[:, :, :3], values[:, :, :3])
    later, all_values = cache.append(keys[:, :, 3:], values[:, :, 3:])
    assert first.data_ptr() == later.data_ptr()
    assert torch.equal(later, keys) and torch.equal(all_values, values)
    rows = torch.tensor([2, 2, 0])
    cache.reorder(rows)
    assert torch.equal(cache.keys, keys[rows]) and torch.equal(cache.values, values[rows])


def test_the_beam_search_of_the_lesson_is_that_of_the_reference():
    lesson = Path(__file__).parents[2] / "autograder/lessons/13-cached-decoding/lesson.py"
    source = inspect.getsource(transformer.cached_beam_search)
    assert source.replace("CachedDecoder(", "StepByStep(") in lesson.read_text()
