"""Training and decoding with lesson 12's model, against earlier models and torch.nn.Transformer.

Times are the CPU time of one thread on a CPU, and wall-clock time on a GPU. The variants run in
turns, and the ratio of medians counts.
"""

import copy
import statistics

import torch
from torch import nn

import transformer
import transformer_workbook as wb
from benchmarks import Measured, Say
from transformer_workbook.lessons.faster import speed
from transformer_workbook.lessons.number_words import words as number_words
from transformer_workbook.lessons.translation.hardware import detect, keep_freed_memory

VOCABULARY, PAD, BOS, EOS = 8000, 0, 1, 2
SIZES = {"d_model": 256, "num_heads": 4, "num_layers": 3, "d_ff": 1024, "norm_first": True}
ROUNDS = 7
AT_LEAST = {"torch.nn.Transformer": 1.0, "cached": 10.0}
WORSE_BY = 0.02  # nats of validation loss, at most


class TorchModel(nn.Module):
    """torch.nn.Transformer between the embeddings and the projection of one of our models.

    It returns logits, as its users' models do: the step's log-softmax is then the only one.
    """

    def __init__(self, ours, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.src_embed, self.tgt_embed = ours.src_embed, ours.tgt_embed
        self.proj, self.pad_id = ours.generator.proj, ours.pad_id
        self.inner = nn.Transformer(
            d_model, num_heads, num_layers, num_layers, d_ff, dropout, batch_first=True,
            norm_first=norm_first, layer_norm_eps=1e-6,
        )  # fmt: skip
        for parameter in self.inner.parameters():
            if parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter)

    def forward(self, src, tgt):
        """Logits (N, T, V) from ids: `src` (N, S), `tgt` (N, T)."""
        future = torch.ones(tgt.size(1), tgt.size(1), dtype=torch.bool, device=tgt.device).triu(1)
        hidden = src == self.pad_id
        decoded = self.inner(
            self.src_embed(src), self.tgt_embed(tgt), tgt_mask=future, tgt_is_causal=True,
            src_key_padding_mask=hidden, memory_key_padding_mask=hidden,
            tgt_key_padding_mask=tgt == self.pad_id,
        )  # fmt: skip
        return self.proj(decoded)


def training(say: Say) -> Measured:
    """Training tokens a second: the model of lesson 12 against torch.nn.Transformer.

    The same embeddings, projection, batch, dropout and step for all; the plain model has the loss
    and the Adam of lesson 09, the two others those of lesson 12. The target is for a CPU: on a GPU
    a step of models this small is mostly the launching of kernels, in nearly the same time.
    """
    rows, missed = [], []
    for device in devices():
        seconds, tokens = training_seconds(device, lambda now, on=device: say(f"{on}, {now}"))
        ours = seconds["lesson 12"]
        for name, step in seconds.items():
            rows.append([device, name, f"{tokens / step:,.0f}", f"{step / ours:.2f}"])
        against = seconds["torch.nn.Transformer"] / ours
        if device == "cpu" and against < AT_LEAST["torch.nn.Transformer"]:
            missed.append(f"{against:.2f} times torch.nn.Transformer, not 1")
    return Measured(["device", "model", "tokens / s", "lesson 12 is faster by"], rows, missed)


def devices() -> list[str]:
    """Those that are here."""
    return ["cpu", "cuda"] if torch.cuda.is_available() else ["cpu"]


def training_seconds(device: str, say: Say, sizes=None, rows=64) -> tuple[dict[str, float], int]:
    """Seconds of a step of each model, and the target tokens of the step's batch."""
    sizes = SIZES if sizes is None else sizes
    keep_freed_memory()
    wb.seed_everything(0)
    src, tgt = (batch.to(device) for batch in sentences(rows, 14))
    hardware = detect(device)
    plain = transformer.make_model(VOCABULARY, VOCABULARY, tie_weights=True, **sizes)
    models = {
        "lesson 12": transformer.fuse(copy.deepcopy(plain)),
        "torch.nn.Transformer": TorchModel(copy.deepcopy(plain), **sizes),
        "lesson 08": plain,
    }

    def step_of(name, model):
        model.to(device).train()
        lean = name != "lesson 08"
        loss = transformer.FusedLabelSmoothing if lean else transformer.LabelSmoothing
        loss_fn = loss(VOCABULARY, PAD)
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-4, fused=lean or None)
        how = {"scaler": hardware.scaler(), "dtype": hardware.dtype if lean else None}

        def step():
            say(name)
            transformer.mixed_precision_step(model, (src, tgt), loss_fn, optimizer, **how)

        return step

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    steps = {name: step_of(name, model) for name, model in models.items()}
    seconds = speed.compare(steps, ROUNDS).seconds
    torch.set_num_threads(threads)
    return seconds, int((tgt[:, 1:] != PAD).sum())


def decoding(say: Say) -> Measured:
    """Beam search of 1,000 sentences, cached against uncached (beam 5).

    Sentences of a length together, a hundred at once, as the Translator of lesson 11 has them; the
    target, on a CPU, is for these. Ten at once suit the uncached search best there, so it is shown
    with these, too. On a CPU the ids have to be equal.
    """
    rows, missed = [], []
    for device in devices():
        seconds, lengths = decoding_seconds(lambda now, on=device: say(f"{on}, {now}"), device)
        before = seconds["uncached (lesson 10)"]
        words = f"{statistics.mean(lengths):.0f} ({min(lengths)} to {max(lengths)})"
        for name, took in seconds.items():
            rows.append([device, name, f"{took:.3g}", f"{before / took:.1f}", words])
        gain = before / seconds["cached, fused model (lesson 12)"]
        if device == "cpu" and gain < AT_LEAST["cached"]:
            missed.append(f"cached decoding is {gain:.1f} times as fast as uncached, not 10")
    columns = ["device", "beam search", "seconds", "times as fast", "tokens a sentence"]
    return Measured(columns, rows, missed)


def decoding_seconds(say: Say, device: str = "cpu", sizes=None, count=1000, size=100):
    """Seconds of each way to search all sentences, and the lengths of the translations."""
    keep_freed_memory()
    wb.seed_everything(0)
    plain = writer(sizes or SIZES).to(device)
    fused = transformer.fuse(copy.deepcopy(plain))
    fused.encoder.register_forward_pre_hook(fused.generator.begin)
    # On a CPU the uncached search is fastest in small batches: its tables stay in the cache.
    ways = {
        "uncached (lesson 10)": (transformer.beam_search, plain, size),
        "uncached, in its best batches": (transformer.beam_search, plain, max(1, size // 10)),
        "cached": (transformer.cached_beam_search, plain, size),
        "cached, fused model (lesson 12)": (transformer.cached_beam_search, fused, size),
    }
    seconds, lengths = dict.fromkeys(ways, 0.0), []
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    for place, chunk in enumerate(sources_by_length(count).to(device).split(size)):
        translations = {}
        for name, (search, model, at_once) in ways.items():
            say(f"{place * size} of {count}, {name}")
            model.generator.source = (chunk != PAD).sum(dim=1).float().mean()
            batches = [src[:, : (src != PAD).sum(dim=1).max()] for src in chunk.split(at_once)]

            def call(search=search, model=model, name=name, batches=batches, found=translations):
                options = (64, BOS, EOS, 5)
                found[name] = [row for src in batches for row in search(model, src, *options)]

            seconds[name] += speed.seconds_of(call)
        ids = [[row[row != PAD].tolist() for row in rows] for rows in translations.values()]
        lengths += [len(row) - 1 for row in ids[0]]
        if device == "cpu" and ids != [ids[0]] * len(ids):
            raise AssertionError("cached and uncached search found different translations")
    torch.set_num_threads(threads)
    return seconds, lengths


class Ending(nn.Module):
    """A generator whose <eos> grows likelier with each step since `begin`.

    `source` is the mean length of the sources: the longer, the slower it grows.
    """

    def __init__(self, proj):
        super().__init__()
        self.proj, self.steps, self.source = proj, 0, 1.0

    def begin(self, *_):
        self.steps = 0

    def forward(self, x):
        """Log-probabilities (N, V) from the last decoder states (N, D)."""
        self.steps += 1
        logits = self.proj(x)
        logits[..., EOS] += 5.5 * self.steps / self.source
        return logits.log_softmax(dim=-1)


def writer(sizes) -> nn.Module:
    """An untrained model whose outputs are as confident as a trained one's, and end as theirs do.

    A translation is about as long as its source, the longest of a hundred 1.4 to 1.7 times as long
    as their mean, and of all beginnings 59 to 69 % have not ended at an average step. The trained
    model of docs/translation.md, on hundreds of test_2016_flickr: 1.4 to 1.6 times, 51 to 64 %.
    """
    model = transformer.make_model(VOCABULARY, VOCABULARY, **sizes).eval()
    with torch.no_grad():
        model.generator.proj.weight.mul_(12)
        model.generator.proj.bias[PAD] = -100
        model.generator.proj.bias[EOS] = 9.5
    model.generator = Ending(model.generator.proj)
    model.encoder.register_forward_pre_hook(model.generator.begin)
    return model


def sources_by_length(count: int) -> torch.Tensor:
    """Sources, the longest first, with as many tokens as the sub-words of a sentence of Multi30k:
    6 to 40, half of them 12 to 18."""
    lengths = torch.empty(count, 1).log_normal_(2.67, 0.32).round().clamp(6, 40)
    lengths = lengths.sort(dim=0, descending=True).values
    src = torch.randint(4, VOCABULARY, (count, 40))
    return src.masked_fill(torch.arange(40) >= lengths, PAD)


def sentences(count: int, longest: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Sources and targets, (count, longest) and one more, of 8 tokens up to `longest`."""
    src = torch.randint(4, VOCABULARY, (count, longest))
    tgt = torch.randint(4, VOCABULARY, (count, longest + 1))
    lengths = torch.randint(8, longest + 1, (count, 1))
    places = torch.arange(longest + 1)
    tgt[:, 0] = BOS
    return src.masked_fill(places[:longest] >= lengths, PAD), tgt.masked_fill(places > lengths, PAD)


def validation_loss(say: Say) -> Measured:
    """Validation loss after 400 steps of number words, against torch.nn.Transformer."""
    numbers = number_words.LESSON.splits(0)
    losses = {}
    for name in ("lesson 12", "torch.nn.Transformer"):
        losses[name] = learnt(name, numbers, 400, lambda now, of=name: say(f"{of}, {now}"))
    worse = losses["lesson 12"] - losses["torch.nn.Transformer"]
    rows = [[name, f"{loss:.4f}"] for name, loss in losses.items()]
    missed = [f"worse by {worse:.3f} nats"] if worse > WORSE_BY else []
    return Measured(["model", "loss per token (nats)"], rows, missed)


def learnt(name: str, numbers, steps: int, say: Say) -> float:
    """Loss per token (nats) on unseen numbers after so many steps; both models are pre-norm."""
    config = number_words.LESSON
    sizes = {**config.sizes, "norm_first": True}
    words = (len(number_words.GERMAN), len(number_words.ENGLISH))
    wb.seed_everything(0)
    model = transformer.make_model(*words, **sizes)
    if name == "lesson 12":
        transformer.fuse(model)
    else:
        model = TorchModel(model, **sizes)
    loss_fn = transformer.FusedLabelSmoothing(words[1], PAD, config.smoothing)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    batches = number_words.Batches(numbers.train, config.batch_size, 0)
    model.train()
    done, epoch = 0, 0
    while done < steps:
        for batch in batches(epoch):
            transformer.train_step(model, batch, loss_fn, optimizer)
            done += 1
            if done % 50 == 0:
                say(f"step {done}")
            if done == steps:
                break
        epoch += 1
    validation = list(number_words.Batches(numbers.validation))
    return transformer.evaluate(model, validation, loss_fn)
