"""How the components of lesson 10 are called."""

import torch
from torch import nn
from torch.nn import functional as F

from transformer_workbook.shared.probing import on_one_device, where_it_runs, without_padding
from transformer_workbook.shared.words import Wording, wording

MANY = 200  # calls of decode: no search here needs as many
LONG = 30  # tokens: no translation here becomes as long


@wording(
    {
        "sources_read": Wording(
            "the count of encoder calls",
            "The source was read {actual} times; once is enough.",
            {"0": "The source was never read."},
        )
    }
)
def decode_greedily(greedy_decode, src, script, pad_id, max_len, bos_id, eos_id, training=False):
    """What was written, how often the source was read, and in which mode."""
    model = Scripted(script, pad_id).train(training)
    greedy_decode(model, _other_sources(src), max_len, bos_id, eos_id)
    model.reads = 0
    ids = greedy_decode(model, src, max_len, bos_id, eos_id)
    return {"ids": ids, "sources_read": model.reads, **_modes_seen(model)}


@wording(
    {
        "device": Wording(
            "the device of the ids",
            "The source and the model were on another device, and a tensor that meets theirs was "
            "made on the CPU. Make new tensors on the device of src.",
        )
    }
)
def decode_there(greedy_decode, src, script, pad_id, max_len, bos_id, eos_id):
    """With src and the model on another device than new tensors are."""
    model = _Elsewhere(script, pad_id).eval().to("meta")

    def device_of() -> str:
        greedy_decode(model, src.to("meta"), max_len, bos_id, eos_id)
        return "meta"  # where the ids go in the end is left open

    return {"device": where_it_runs(device_of)}


def search(beam_search, src, script, pad_id, max_len, bos_id, eos_id, training=False, **options):
    """What was written, without padding at the end of all rows, and in which mode."""
    model = Scripted(script, pad_id).train(training)
    beam_search(model, _other_sources(src), max_len, bos_id, eos_id, **options)
    ids = beam_search(model, src, max_len, bos_id, eos_id, **options)
    return {"ids": without_padding(ids, pad_id), **_modes_seen(model)}


@wording(
    {
        "probabilities": "the tensor of probabilities",
        "log_probs_changed": Wording(
            wrong="The log-probabilities that were passed were changed in place."
        ),
    }
)
def keep_nucleus(nucleus, log_probs, share):
    """What is kept, and whether the log-probabilities were left as they were."""
    given = log_probs.log_softmax(dim=-1)
    before = given.clone()
    probabilities = nucleus(given, share)
    changed = not torch.equal(given, before)
    return {"probabilities": probabilities, "log_probs_changed": changed}


class Scripted(nn.Module):
    """Encoder, decoder and generator whose answers stand in a table, so that all is known.

    The table, (sources, length, V, V), holds for each source, position and token the logits of
    the token that follows. Which source it is, follows from its tokens and their order: from the
    sum of each token times its place, counted from 1. Beyond that, it is as with any model: what
    it says is another thing if a mask lets padding through, or shows the future, or hides the
    past.
    """

    def __init__(self, script, pad_id):
        super().__init__()
        self.pad_id = pad_id
        self.script = nn.Parameter(script)
        self.reads = self.steps = 0
        self.seen = []
        self.generator = _Generator()

    def encode(self, src, src_mask=None):
        self._note()
        self.reads += 1
        count, length = src.shape
        padding = src == self.pad_id
        visible = _as_square(src_mask, count, 1, length)[:, 0]
        memory = self.script.new_zeros(count, length, self.script.size(-1) + 1)
        places = torch.arange(1, length + 1)
        memory[:, :, 0] = (src.masked_fill(padding | ~visible, 0) * places).to(memory.dtype)
        memory[:, :, 1] = padding.to(memory.dtype)
        memory[:, :, 2] = (visible & padding).any(dim=1, keepdim=True).to(memory.dtype)
        return memory

    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        self._note()
        self._count_step(tgt)
        # As an embedding does, this refuses ids that are no whole numbers, or not in the table.
        if tgt.is_floating_point():
            raise TypeError("decode was given ids that are no whole numbers (torch.long)")
        F.embedding(tgt, self.script[0, 0])
        count, length = tgt.shape
        visible = _as_square(src_mask, count, length, memory.size(1))[:, -1]
        seen = (memory[:, :, 0] * visible).sum(dim=1).long()
        sources, positions = self.script.shape[:2]
        source = seen.remainder(sources)[:, None].expand(count, length)
        place = torch.arange(length).clamp(max=positions - 1).expand(count, length)
        logits = self.script[source, place, tgt]  # (N, T, V)

        looks = _as_square(tgt_mask, count, length, length)
        past = torch.ones(length, length, dtype=torch.bool).tril()
        visible_past = past & (tgt != self.pad_id)[:, None, :]
        mistakes = [
            (looks & ~visible_past).flatten(1).any(dim=1),
            (visible_past & ~looks).flatten(1).any(dim=1),
            (memory[:, :, 1] * visible).any(dim=1),
        ]
        # Together they shift by less than the vocabulary, and the last one wraps around: no two
        # mistakes make up for one another.
        for shift, made in enumerate(mistakes, start=1):
            logits = torch.where(made[:, None, None], logits.roll(shift, dims=-1), logits)
        made = memory[:, :, 2].any(dim=1)
        logits = torch.where(made[:, None, None], logits.flip(-1), logits)
        # One more feature than tokens: these are no log-probabilities yet.
        return torch.cat([logits.new_full((count, length, 1), 30.0), logits], dim=-1)

    def forward(self, src, tgt):
        src_mask = (src != self.pad_id)[:, None, None, :]
        past = torch.ones_like(tgt[0], dtype=torch.bool).expand(tgt.size(1), -1).tril()
        tgt_mask = past & (tgt != self.pad_id)[:, None, None, :]
        return self.generator(self.decode(tgt, self.encode(src, src_mask), src_mask, tgt_mask))

    def _count_step(self, tgt):
        self.steps += 1
        if self.steps > MANY or tgt.size(-1) > LONG:
            raise RuntimeError(f"decode was called {self.steps} times: does the loop end?")

    def _note(self):
        self.seen.append((self.training, torch.is_grad_enabled()))


class _Elsewhere(Scripted):
    """Answers of the right shape, on a device without numbers; refuses tensors on another one."""

    def encode(self, src, src_mask=None):
        on_one_device(self.script, src, src_mask)
        return self.script.new_zeros(*src.shape, self.script.size(-1) + 1)

    def decode(self, tgt, memory, src_mask=None, tgt_mask=None):
        on_one_device(self.script, tgt, memory, src_mask, tgt_mask)
        self._count_step(tgt)
        return self.script.new_zeros(*tgt.shape, self.script.size(-1) + 1)


class _Generator(nn.Module):
    def forward(self, x):
        return x[..., 1:].log_softmax(dim=-1)


def _other_sources(src):
    """The same sentences in other rows: what is kept of them makes the next call wrong."""
    return src.roll(1, dims=0)


def _as_square(mask, count, queries, keys):
    """A mask as (N, T_q, T_k), True where something may be seen; everything, for no mask."""
    if mask is None:
        return torch.ones(count, queries, keys, dtype=torch.bool)
    mask = mask.bool()
    while mask.dim() < 4:
        mask = mask.unsqueeze(0)
    return mask[:, :1].expand(count, 1, queries, keys)[:, 0]


def _modes_seen(model):
    return {
        "in_train_mode": any(mode for mode, _ in model.seen),
        "with_gradients": any(gradients for _, gradients in model.seen),
        "left_in_train_mode": model.training,
    }
