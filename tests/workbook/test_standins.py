"""Every stand-in answers as the reference does, and tells nothing of how it is made."""

import ast
import importlib
import inspect
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from the_course import COURSE
from torch import nn
from torch.nn import functional as F

import transformer
from autograder.lesson.components import definitions
from transformer_workbook import standins

FOLDER = Path(standins.__file__).parent
HOMES = {name: places[0][0].stem for name, places in definitions().items()}
# The modules of the reference package that each lesson's stand-ins stand in for; not every lesson
# has stand-ins.
REFERENCE_OF = {
    lesson.module: sorted({HOMES[table["name"]] for table in lesson.data["component"]})
    for lesson in COURSE.lessons
    if (FOLDER / f"{lesson.module}.py").is_file()
}
LESSONS = list(REFERENCE_OF)
SIZES = {"d_model": 12, "num_heads": 3, "d_ff": 20}
SRC = torch.tensor([[3, 4, 5, 6, 7], [8, 9, 3, 0, 0]])
TGT = torch.tensor([[1, 5, 2, 0], [1, 6, 7, 2]])
BLIND_TGT = torch.tensor([[0, 5, 2, 0], [1, 6, 7, 2]])  # its first position sees nothing


def standin(component):
    """The stand-in of a reference component."""
    lesson_of = {module: lesson for lesson in LESSONS for module in REFERENCE_OF[lesson]}
    lesson = lesson_of[component.__module__.removeprefix("transformer.")]
    module = importlib.import_module(f"transformer_workbook.standins.{lesson}")
    return getattr(module, component.__name__)


def reference_modules(lesson):
    return [importlib.import_module(f"transformer.{name}") for name in REFERENCE_OF[lesson]]


def reference(lesson):
    return [
        component
        for module in reference_modules(lesson)
        for component in vars(module).values()
        if getattr(component, "__module__", "") == module.__name__
    ]


def test_each_file_of_stand_ins_belongs_to_a_lesson():
    assert sorted(LESSONS) == sorted(path.stem for path in FOLDER.glob("[!_]*.py"))


def draw(*shape, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=generator, dtype=torch.float64).requires_grad_()


def twins(component, *args, **kwargs):
    """A reference module and its stand-in, with the same weights, in float64."""
    ours = component(*args, **kwargs).double()
    other = standin(component)(*args, **kwargs).double()
    for i, parameter in enumerate(ours.parameters()):
        parameter.data = 0.4 * draw(*parameter.shape, seed=100 + i).detach()
    assert list(other.state_dict()) == list(ours.state_dict())
    other.load_state_dict(ours.state_dict())
    return ours, other


def assert_same(ours, other, call):
    """Call both; their outputs, and the gradients of inputs and parameters, have to agree."""
    results = []
    for module in (ours, other):
        inputs, output = call(module)
        module.zero_grad()
        output.pow(3).sum().backward()
        gradients = {name: p.grad for name, p in module.named_parameters()}
        results.append((output, [x.grad for x in inputs], gradients))
        assert output.isfinite().all()
        assert all(x.isfinite().all() for x in [*results[-1][1], *gradients.values()])
    torch.testing.assert_close(*results, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("component", [c for name in LESSONS for c in reference(name)])
def test_signatures_are_those_of_the_reference(component):
    other = standin(component)
    assert inspect.signature(other) == inspect.signature(component)
    for name in ("forward", "encode", "decode", "step", "keep"):
        if hasattr(component, name):
            expected = inspect.signature(getattr(component, name))
            assert inspect.signature(getattr(other, name)) == expected


# 00


def test_tensor_moves():
    x = draw(2, 5, 12).detach()
    heads = transformer.split_heads(x, 3)
    assert torch.equal(standin(transformer.split_heads)(x, 3), heads)
    assert torch.equal(standin(transformer.merge_heads)(heads), x)


# 01

MASKS = {
    "none": None,
    "keys": torch.tensor([True, False, True, True, False, True]),
    "padding": (torch.arange(6) < torch.tensor([[6], [3]]))[:, None, None],
    "rows": torch.ones(4, 6, dtype=torch.bool).tril(),
    "a row that sees nothing": torch.ones(4, 6, dtype=torch.bool).tril(-1),
    "a sentence that sees nothing": (torch.arange(6) < torch.tensor([[6], [0]]))[:, None, None],
}


@pytest.mark.parametrize("mask", MASKS.values(), ids=MASKS.keys())
@pytest.mark.parametrize("dropout", [None, lambda w: w.square()], ids=["", "dropout"])
def test_attention(mask, dropout):
    results = []
    attention = transformer.scaled_dot_product_attention
    for attend in (attention, standin(attention)):
        inputs = [draw(2, 3, 4, 5), draw(2, 3, 6, 5, seed=1), draw(2, 3, 6, 2, seed=2)]
        output, weights = attend(*inputs, mask, dropout)
        (output.pow(3).sum() + weights.pow(2).sum()).backward()
        shown = None if dropout else weights
        results.append([output, shown, *(x.grad for x in inputs)])
        assert all(x.isfinite().all() for x in results[-1][2:])
    if dropout:  # the weights returned may be those before or after it
        results = [[x for x in result if x is not None] for result in results]
    torch.testing.assert_close(results[0][:1], results[1][:1])
    if not dropout:
        torch.testing.assert_close(*results)


def test_attention_of_single_sentences_and_on_meta_tensors():
    attention = transformer.scaled_dot_product_attention
    inputs = [draw(4, 5), draw(6, 5, seed=1), draw(6, 2, seed=2)]
    torch.testing.assert_close(standin(attention)(*inputs), attention(*inputs))
    output, weights = standin(attention)(*[x.to("meta") for x in inputs])
    assert output.shape == (4, 2) and weights.shape == (4, 6)


# 02


@pytest.mark.parametrize("mask", MASKS.values(), ids=MASKS.keys())
def test_multi_head_attention(mask):
    ours, other = twins(transformer.MultiHeadAttention, 12, 3, dropout=0.0)

    def call(module):
        inputs = [draw(2, 4, 12), draw(2, 6, 12, seed=1), draw(2, 6, 12, seed=2)]
        return inputs, module(*inputs, mask)

    assert_same(ours, other, call)
    torch.testing.assert_close(other.weights, ours.weights)
    assert not other.weights.requires_grad


def test_multi_head_attention_drops_weights_alone():
    ours, other = twins(transformer.MultiHeadAttention, 12, 3, dropout=1.0)
    x = draw(2, 4, 12)
    torch.testing.assert_close(other(x, x, x), ours(x, x, x))


# 03


@pytest.mark.parametrize("eps", [1e-6, 0.5])
def test_layer_norm(eps):
    def call(module):
        x = draw(2, 3, 12)
        return [x], module(x)

    assert_same(*twins(transformer.LayerNorm, 12, eps), call)
    assert torch.equal(standin(transformer.LayerNorm)(3).gamma, torch.ones(3))
    assert torch.equal(standin(transformer.LayerNorm)(3).beta, torch.zeros(3))


@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize("dropout", [0.0, 1.0])
def test_sublayer_connection(norm_first, dropout):
    sublayer = nn.Linear(12, 12).double()

    def call(module):
        x = draw(2, 3, 12)
        # Whatever is dropped, the parameters take part.
        return [x], module(x, sublayer) + 0 * sum(p.sum() for p in module.parameters())

    assert_same(*twins(transformer.SublayerConnection, 12, dropout, norm_first), call)


# 04


@pytest.mark.parametrize("dropout", [0.0, 1.0])
def test_feed_forward(dropout):
    def call(module):
        x = draw(2, 3, 12)
        return [x], module(x) + 0 * sum(p.sum() for p in module.parameters()) + 0 * x.sum()

    assert_same(*twins(transformer.PositionwiseFeedForward, 12, 20, dropout=dropout), call)


# 05


def test_token_embedding():
    def call(module):
        return [], module(SRC)

    ours, other = twins(transformer.TokenEmbedding, 11, 12, pad_id=3)
    assert_same(ours, other, call)
    assert (other.embedding.weight.grad[3] == 0).all()


@pytest.mark.parametrize("length, d_model", [(9, 6), (9, 7), (1, 1), (3, 2), (5000, 16)])
def test_sinusoids(length, d_model):
    expected = transformer.sinusoidal_encoding(length, d_model)
    encoding = standin(transformer.sinusoidal_encoding)(length, d_model)
    assert encoding.dtype == expected.dtype
    torch.testing.assert_close(encoding, expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize(
    "kind", [transformer.PositionalEncoding, transformer.LearnedPositionalEmbedding]
)
def test_positions(kind):
    def call(module):
        x = draw(2, 5, 12)
        return [x], module(x)

    ours, other = twins(kind, 12, dropout=0.0, max_len=6)
    if list(ours.parameters()):
        assert_same(ours, other, call)
    else:
        torch.testing.assert_close(call(other)[1], call(ours)[1], rtol=0, atol=1e-6)
        assert not list(other.parameters()) and not other.state_dict()
    assert (standin(kind)(12, dropout=1.0)(draw(2, 5, 12)) == 0).all()
    with pytest.raises(ValueError, match="max_len=6"):
        other(draw(2, 7, 12))


# 06


@pytest.mark.parametrize("ids", [SRC, TGT, BLIND_TGT])
def test_masks(ids):
    for build, args in [
        (transformer.padding_mask, (ids, 0)),
        (transformer.causal_mask, (ids.size(1),)),
        (transformer.target_mask, (ids, 0)),
    ]:
        mask = standin(build)(*args)
        assert mask.dtype == torch.bool
        assert torch.equal(mask, build(*args))
    assert standin(transformer.causal_mask)(3, "meta").device.type == "meta"


# 07

norm_orders = pytest.mark.parametrize("norm_first", [False, True], ids=["post-norm", "pre-norm"])


@norm_orders
@pytest.mark.parametrize("kind", [transformer.EncoderLayer, transformer.Encoder])
@pytest.mark.parametrize("src", [None, SRC, torch.zeros_like(SRC)], ids=["", "mask", "all hidden"])
def test_encoder(kind, src, norm_first):
    depth = () if kind is transformer.EncoderLayer else (3,)
    mask = None if src is None else transformer.padding_mask(src, 0)

    def call(module):
        x = draw(2, 5, 12)
        return [x], module(x, mask)

    assert_same(*twins(kind, *depth, **SIZES, dropout=0.0, norm_first=norm_first), call)


@norm_orders
@pytest.mark.parametrize("kind", [transformer.DecoderLayer, transformer.Decoder])
@pytest.mark.parametrize("tgt", [None, TGT, BLIND_TGT], ids=["", "mask", "a row that sees nothing"])
def test_decoder(kind, tgt, norm_first):
    depth = () if kind is transformer.DecoderLayer else (3,)
    masks = ()
    if tgt is not None:
        masks = transformer.padding_mask(SRC, 0), transformer.target_mask(tgt, 0)

    def call(module):
        inputs = [draw(2, 4, 12), draw(2, 5, 12, seed=1)]
        return inputs, module(*inputs, *masks)

    assert_same(*twins(kind, *depth, **SIZES, dropout=0.0, norm_first=norm_first), call)


def test_dropout_is_everywhere_that_the_reference_has_it():
    def rates(module):
        return sorted(m.p for m in module.modules() if isinstance(m, nn.Dropout))

    ours, other = twins(transformer.Transformer, 11, 13, **SIZES, num_layers=2, dropout=0.3)
    assert rates(other) == rates(ours)


# 08


@norm_orders
@pytest.mark.parametrize("positions", ["sinusoidal", "learned"])
@pytest.mark.parametrize("tie_weights", [False, True], ids=["", "tied"])
def test_transformer(norm_first, positions, tie_weights):
    options = {"norm_first": norm_first, "positions": positions, "tie_weights": tie_weights}
    ours, other = twins(
        transformer.Transformer, 13, 13, **SIZES, num_layers=2, dropout=0.0, max_len=9, **options
    )
    if positions == "sinusoidal":
        for embed, our_embed in [
            (other.src_embed, ours.src_embed),
            (other.tgt_embed, ours.tgt_embed),
        ]:
            embed[1].encoding.copy_(our_embed[1].encoding)

    for tgt in (TGT, BLIND_TGT):
        assert_same(ours, other, lambda module, tgt=tgt: ([], module(SRC, tgt)))
    memory = draw(2, 5, 12).detach()
    torch.testing.assert_close(other.encode(SRC), ours.encode(SRC))
    torch.testing.assert_close(other.decode(TGT, memory), ours.decode(TGT, memory))
    assert other.pad_id == ours.pad_id
    if tie_weights:
        weight = other.generator.proj.weight
        assert weight is other.src_embed[0].embedding.weight
        assert weight is other.tgt_embed[0].embedding.weight
    assert other.to("meta")(SRC.to("meta"), TGT.to("meta")).shape == (2, 4, 13)


def test_make_model_draws_every_matrix_xavier_uniformly():
    sizes = {**SIZES, "num_layers": 1, "tie_weights": True}
    models = []
    for build in (transformer.make_model, standin(transformer.make_model)):
        torch.manual_seed(0)
        models.append(build(50, 50, **sizes))
    for parameter in models[1].parameters():
        if parameter.dim() > 1:
            bound = (6 / sum(parameter.shape)) ** 0.5
            assert 0.9 * bound < parameter.abs().max() <= bound
    assert [n for n, _ in models[1].named_parameters()] == [
        n for n, _ in models[0].named_parameters()
    ]


@pytest.mark.parametrize(
    "call",
    [
        lambda get: get(transformer.MultiHeadAttention)(10, 3),
        lambda get: get(transformer.DecoderLayer)(10, 3, 20),
        lambda get: get(transformer.Transformer)(11, 13, tie_weights=True),
        lambda get: get(transformer.make_model)(11, 13, positions="rotary"),
    ],
)
def test_what_the_reference_refuses_is_refused(call):
    with pytest.raises(ValueError):
        call(lambda component: component)
    with pytest.raises(ValueError):
        call(standin)


# 09


def test_shift_right():
    for tgt in (TGT, TGT[:, :2], TGT[:, :1]):
        expected = transformer.shift_right(tgt)
        for part, wanted in zip(standin(transformer.shift_right)(tgt), expected, strict=True):
            assert torch.equal(part, wanted)


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.9])
@pytest.mark.parametrize("target", [TGT, TGT[1:], torch.zeros_like(TGT)], ids=["", "full", "none"])
def test_label_smoothing(smoothing, target):
    results = []
    for kind in (transformer.LabelSmoothing, standin(transformer.LabelSmoothing)):
        raw = draw(*target.shape, 9)
        loss = kind(9, 0, smoothing)(raw.log_softmax(-1), target)
        rows = kind(9, 0, smoothing)(raw.log_softmax(-1).flatten(0, 1), target.flatten())
        torch.testing.assert_close(rows, loss)
        loss.backward()
        results.append([loss, raw.grad])
    torch.testing.assert_close(*results)


@pytest.mark.parametrize("options", [{}, {"warmup": 7}, {"warmup": 1, "factor": 2.0}])
def test_noam_lr(options):
    for step in range(20):
        expected = transformer.noam_lr(step, 48, **options)
        assert standin(transformer.noam_lr)(step, 48, **options) == pytest.approx(expected)


def tiny(component=transformer.make_model, **options):
    torch.manual_seed(0)
    return component(13, 13, **SIZES, **{"num_layers": 1, "dropout": 0.0} | options)


def test_train_step():
    results = []
    for step in (transformer.train_step, standin(transformer.train_step)):
        model = tiny()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.5, momentum=0.9)
        scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2)
        loss_fn = transformer.LabelSmoothing(13, 0)
        losses = [
            step(model, (SRC, TGT), loss_fn, optimizer, scheduler, max_norm=0.3) for _ in range(5)
        ]
        assert all(isinstance(loss, float) for loss in losses)
        results.append([torch.tensor(losses), *(p.detach() for p in model.parameters())])
    torch.testing.assert_close(*results, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("training", [True, False])
def test_evaluate(training):
    model = tiny(dropout=0.5).train(training)
    loss_fn = transformer.LabelSmoothing(13, 0)
    batches = [(SRC, TGT), (SRC[:1], TGT[:1])]
    expected = transformer.evaluate(model, batches, loss_fn)
    assert standin(transformer.evaluate)(model, batches, loss_fn) == pytest.approx(expected)
    assert all(module.training == training for module in model.modules())
    assert standin(transformer.evaluate)(model, [], loss_fn) == 0


# 10


@pytest.mark.parametrize("max_len", [1, 2, 8])
def test_decoding(max_len):
    lengths = set()
    for seed in range(8):
        torch.manual_seed(seed)
        model = transformer.make_model(13, 6, **SIZES, num_layers=1, dropout=0.5)
        with torch.no_grad():
            model.generator.proj.weight.mul_(2.5)
            model.generator.proj.bias[0] = -30
        ids = transformer.greedy_decode(model, SRC, max_len, 1, 2)
        assert torch.equal(standin(transformer.greedy_decode)(model, SRC, max_len, 1, 2), ids)
        for options in ({}, {"beam_size": 1}, {"beam_size": 3, "length_penalty": 2.0}):
            expected = transformer.beam_search(model, SRC, max_len, 1, 2, **options)
            found = standin(transformer.beam_search)(model, SRC, max_len, 1, 2, **options)
            assert torch.equal(found, expected)
            lengths |= set((found != 0).sum(1).tolist())
        assert model.training
    assert max_len < 3 or len(lengths) > 2  # some end early, some late


# 11


@pytest.mark.parametrize("max_tokens", [1, 9, 30, 1000])
def test_token_batches(max_tokens):
    lengths = draw(40).detach().abs().mul(6).long().add(1).tolist()
    for group in (transformer.token_batches, standin(transformer.token_batches)):
        batches = group(lengths, max_tokens)
        assert sorted(sum(batches, [])) == list(range(40))
        longest = [max(lengths[one] for one in batch) for batch in batches]
        assert all(
            len(batch) == 1 or len(batch) * most <= max_tokens
            for batch, most in zip(batches, longest, strict=True)
        )
        # Sentences of about the same length share one.
        shortest = [min(lengths[one] for one in batch) for batch in batches]
        assert longest == sorted(longest) and shortest == sorted(shortest)
    assert standin(transformer.token_batches)([], 5) == []


@pytest.mark.parametrize("dtype", [None, torch.bfloat16])
def test_mixed_precision_step(dtype):
    results = []
    for step in (transformer.mixed_precision_step, standin(transformer.mixed_precision_step)):
        model = tiny()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
        scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2)
        scaler = torch.amp.GradScaler("cpu", enabled=False)
        loss_fn, batch = transformer.LabelSmoothing(13, 0), (SRC, TGT)
        options = {"max_norm": 0.3, "dtype": dtype}
        losses = [
            step(model, batch, loss_fn, optimizer, scaler, scheduler, **options) for _ in range(5)
        ]
        assert all(isinstance(loss, float) for loss in losses)
        results.append([torch.tensor(losses), *(p.detach() for p in model.parameters())])
    torch.testing.assert_close(*results, rtol=1e-4, atol=1e-6)


def test_average_weights():
    states = [{"a": draw(2, 3, seed=seed).detach(), "b": draw(4).detach()} for seed in range(3)]
    expected = transformer.average_weights(states)
    torch.testing.assert_close(standin(transformer.average_weights)(states), expected)


# 12


def made_from(component, part):
    """What the reference and its stand-in make of the same part."""
    return component(part), standin(component)(part)


@pytest.mark.parametrize("mask", [name for name in MASKS if name != "keys"])
def test_fused_attention(mask):
    mask = MASKS[mask]  # the kernel wants one with two axes at least
    part = transformer.MultiHeadAttention(12, 3, dropout=0.0).double()

    def call(module):
        inputs = [draw(2, 4, 12), draw(2, 6, 12, seed=1), draw(2, 6, 12, seed=2)]
        return inputs, module(*inputs, mask)

    assert_same(*made_from(transformer.FusedMultiHeadAttention, part), call)


def test_fused_norm():
    def call(module):
        x = draw(2, 3, 12)
        return [x], module(x)

    norm = transformer.LayerNorm(12, 0.5).double()
    assert_same(*made_from(transformer.FusedLayerNorm, norm), call)


@pytest.mark.parametrize("target", [TGT, TGT[1:], torch.zeros_like(TGT)], ids=["", "full", "none"])
def test_fused_label_smoothing(target):
    log_probs = draw(*target.shape, 9).log_softmax(-1)
    kind = transformer.FusedLabelSmoothing
    torch.testing.assert_close(
        standin(kind)(9, 0, 0.2)(log_probs, target), kind(9, 0, 0.2)(log_probs, target)
    )


@pytest.mark.parametrize("rate", [0.0, 0.25, 1.0])
def test_fast_dropout(rate):
    x = torch.ones(100_000)
    for fast in made_from(transformer.FastDropout, nn.Dropout(rate)):
        output = fast(x)
        assert (output == 0).float().mean().item() == pytest.approx(rate, abs=0.01)
        assert output.mean().item() == pytest.approx(float(rate < 1), abs=0.01)
        assert torch.equal(fast.eval()(x), x)


@pytest.mark.parametrize("training", [True, False])
def test_fuse(training):
    kinds = []
    for fuse in (transformer.fuse, standin(transformer.fuse)):
        model = tiny(dropout=0.3).eval()
        expected = model(SRC, TGT)
        fused = fuse(model.train(training))
        assert all(part.training == training for part in fused.modules())
        torch.testing.assert_close(fused.eval()(SRC, TGT), expected)
        kinds.append([(name, type(part).__name__) for name, part in fused.named_modules()])
    assert sorted(kinds[0]) == sorted(kinds[1])


def test_cached_attention():
    part = transformer.MultiHeadAttention(12, 3, dropout=0.0).double().eval()
    rows, memory = draw(4, 2, 12).detach(), draw(2, 5, 12, seed=1).detach()
    alive = torch.tensor([[True, False, True], [False, True, False]])
    found = []
    for cached in made_from(transformer.CachedMultiHeadAttention, part):
        first = rows[:2, :1]
        outputs = [cached(first, first, first)]
        cached.keep(torch.tensor([1, 0, 1]), alive)
        newest = rows[:3, 1:]
        found.append([*outputs, cached(newest, newest, newest)])
    torch.testing.assert_close(*found)
    found = []
    for cached in made_from(transformer.CachedMultiHeadAttention, part):
        outputs = [cached(rows[:2, :1], memory, memory, MASKS["padding"][..., :5])]
        cached.keep(torch.tensor([0, 0, 1]), alive)
        outputs.append(cached(rows[:3, 1:], memory, memory, MASKS["padding"][..., :5]))
        found.append(outputs)
    torch.testing.assert_close(*found)


def test_cached_decoding():
    torch.manual_seed(3)
    model = transformer.make_model(13, 9, **SIZES, num_layers=2, dropout=0.5)
    decoders, found = (transformer.CachedDecoder, standin(transformer.CachedDecoder)), []
    alive = torch.tensor([[True, True], [False, True]])
    for kind in decoders:
        with torch.no_grad(), kind(model, SRC) as decoder:
            first = decoder.step(TGT[:, :1])
            decoder.keep(torch.tensor([0, 0, 1]), alive)
            found.append([first, decoder.step(TGT[[0, 0, 1], :2])])
        assert model.training
    torch.testing.assert_close(*found)
    for search in (transformer.cached_greedy_decode, transformer.cached_beam_search):
        expected = search(model, SRC, 8, 1, 2)
        assert torch.equal(standin(search)(model, SRC, 8, 1, 2), expected)


# What they are made of


def test_importing_the_package_imports_no_stand_in():
    code = (
        "import sys, transformer_workbook.standins\n"
        "print([m for m in sys.modules if m.startswith('transformer_workbook.standins.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def tree_of(path):
    return ast.parse(Path(path).read_text("utf-8"))


@pytest.mark.parametrize("lesson", LESSONS)
def test_stand_ins_import_torch_and_earlier_stand_ins_alone(lesson):
    earlier = LESSONS[: LESSONS.index(lesson)]
    package = "transformer_workbook.standins"
    for node in ast.walk(tree_of(FOLDER / f"{lesson}.py")):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == package:
            names = [f"{package}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module]
        else:
            continue
        for name in names:
            if name.startswith(package):
                assert name.removeprefix(f"{package}.") in earlier
            else:
                root = name.split(".")[0]
                assert root == "torch" or root in sys.stdlib_module_names


# What any two programs that use PyTorch share, and that fills no blank.
COMMON = {
    "1.0 - smoothing",
    "loss.detach()",
    "model.modules()",
    "return self",
    "target.flatten()",
    "vocab_size - 2",
    "super()",
    "super().__init__()",
    "self.pad_id = pad_id",
    "self.smoothing = smoothing",
    "self.vocab_size = vocab_size",
    "self.weights = None",
    "scheduler.step()",
    "src_vocab != tgt_vocab",
    "Transformer(src_vocab, tgt_vocab, **sizes)",
    "model = Transformer(src_vocab, tgt_vocab, **sizes)",
    "mask is not None",
    "return loss",
    "return model",
    "return x",
    "model.parameters()",
    "x.size(1)",
    "float('-inf')",
    "self.src_embed(src)",
    "self.tgt_embed(tgt)",
}


def is_docstring(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def telling_code(tree):
    """The statements, calls and formulas of a module, as normalised text."""
    kinds = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return)
    kinds += (ast.Call, ast.BinOp, ast.Compare, ast.UnaryOp)
    errors = [node for node in ast.walk(tree) if isinstance(node, ast.Raise)]
    skipped = {part for node in errors for part in ast.walk(node)}  # messages may be alike
    skipped |= {node for node in ast.walk(tree) if is_docstring(node)}
    nodes = [node for node in ast.walk(tree) if isinstance(node, kinds) and node not in skipped]
    return {ast.unparse(node) for node in nodes} - COMMON


@pytest.mark.parametrize("lesson", LESSONS)
def test_stand_ins_share_no_line_with_the_solution(lesson):
    solution = set().union(
        *(telling_code(tree_of(module.__file__)) for module in reference_modules(lesson))
    )
    everything = set().union(*(telling_code(tree_of(path)) for path in FOLDER.glob("*.py")))
    assert not {code for code in solution & everything if len(code) > 5}


FORBIDDEN = [
    (F, "scaled_dot_product_attention"),
    (F, "multi_head_attention_forward"),
    (F, "layer_norm"),
    (torch, "layer_norm"),
    (F, "softmax"),
    (torch, "softmax"),
    (torch, "einsum"),
    (nn.LayerNorm, "__init__"),
    (nn.MultiheadAttention, "__init__"),
    (nn.Transformer, "__init__"),
    (nn.TransformerEncoderLayer, "__init__"),
    (nn.TransformerDecoderLayer, "__init__"),
]


def test_stand_ins_work_where_what_is_ready_made_is_forbidden(monkeypatch):
    for lesson in LESSONS:
        importlib.import_module(f"transformer_workbook.standins.{lesson}")
    expected = tiny(standin(transformer.make_model))(SRC, TGT)

    def forbidden(*args, **kwargs):
        raise AssertionError("ready-made")

    for owner, name in FORBIDDEN:
        monkeypatch.setattr(owner, name, forbidden)
    model = tiny(standin(transformer.make_model))
    torch.testing.assert_close(model(SRC, TGT), expected)
    loss_fn = standin(transformer.LabelSmoothing)(13, 0)
    optimizer = torch.optim.Adam(model.parameters())
    standin(transformer.train_step)(model, (SRC, TGT), loss_fn, optimizer)
    standin(transformer.beam_search)(model, SRC, 4, 1, 2)
