"""What came before the Transformer: a recurrent network, and the attention that was added to it.

It reads a list of digits and has to write it again: a translation without any difficulty but the
length of the list.
"""

from collections.abc import Iterator

import torch
from torch import nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from ...shared.language import _
from ...shared.progress_bar import steps as counted

LONGEST = 16  # digits in a list
STEPS = 600  # some ten seconds with one thread
_PAD, _BOS, _EOS, _FIRST_DIGIT = range(4)
_TOKENS = _FIRST_DIGIT + 10


class RecurrentTranslator(nn.Module):
    """One GRU reads a list, (N, S), into its last state; another one writes from that state.

    With attention, each written token may also look at the reader's state after every digit
    (Bahdanau et al. 2015, with dot products).
    """

    def __init__(self, features: int, attention: bool) -> None:
        super().__init__()
        self.source = nn.Embedding(_TOKENS, features, padding_idx=_PAD)
        self.target = nn.Embedding(_TOKENS, features, padding_idx=_PAD)
        self.reader = nn.GRU(features, features, batch_first=True)
        self.writer = nn.GRU(features, features, batch_first=True)
        self.attention = attention
        self.tokens = nn.Linear(2 * features if attention else features, _TOKENS)

    def forward(self, src: torch.Tensor, tgt: torch.Tensor) -> torch.Tensor:
        """Logits of the token after each one of tgt, (N, T, V)."""
        lengths = src.ne(_PAD).sum(dim=1)
        packed = pack_padded_sequence(self.source(src), lengths, True, enforce_sorted=False)
        packed_states, last = self.reader(packed)
        written, _state = self.writer(self.target(tgt), last)
        if self.attention:
            states, _lengths = pad_packed_sequence(packed_states, batch_first=True)
            real = src.ne(_PAD)[:, None].expand(-1, tgt.shape[1], -1)
            context = functional.scaled_dot_product_attention(written, states, states, real)
            written = torch.cat([written, context], dim=2)
        return self.tokens(written)


def bottleneck(features: int = 32, steps: int = STEPS) -> dict[str, tuple]:
    """Train two recurrent translators, and measure them by the length of the list.

    One has nothing but the last state, a vector of `features` numbers; the other has attention too.
    The curves, for `wb.show.curves`, are the share of lists' digits that are right.
    """
    labels = {
        False: _("one vector of {features} numbers").format(features=features),
        True: _("the same with attention"),
    }
    lengths = torch.arange(1, LONGEST + 1)
    curves, progress = {}, counted(len(labels) * steps)
    for attention, label in labels.items():
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            model = _trained(RecurrentTranslator(features, attention), steps, progress)
            shares = [_share_right(model, int(length)) for length in lengths]
        curves[label] = (lengths, torch.tensor(shares))
    return curves


def _trained(
    model: RecurrentTranslator, steps: int, progress: Iterator[int]
) -> RecurrentTranslator:
    """Train a model; each step takes one of `progress`."""
    optimizer = torch.optim.Adam(model.parameters())
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 6e-3, total_steps=steps)
    for _step in zip(range(steps), progress, strict=False):
        src, tgt = _lists(torch.randint(1, LONGEST + 1, (64,)))
        logits = model(src, tgt[:, :-1]).flatten(0, 1)
        loss = functional.cross_entropy(logits, tgt[:, 1:].flatten(), ignore_index=_PAD)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
    return model.eval()


@torch.no_grad()
def _share_right(model: RecurrentTranslator, length: int) -> float:
    src, tgt = _lists(torch.full((300,), length))
    written = model(src, tgt[:, :-1]).argmax(dim=2)
    return (written == src)[:, :length].double().mean().item()


def _lists(lengths: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Random lists of digits with an end mark, and the same with a mark before them."""
    longest = int(lengths.max())
    digits = torch.randint(_FIRST_DIGIT, _TOKENS, (len(lengths), longest + 1))
    place = torch.arange(longest + 1)
    src = torch.where(place < lengths[:, None], digits, _PAD)
    src = torch.where(place == lengths[:, None], _EOS, src)
    return src, functional.pad(src, (1, 0), value=_BOS)
