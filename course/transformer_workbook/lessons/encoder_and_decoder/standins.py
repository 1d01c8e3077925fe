"""Stand-ins for lesson 07."""

from functools import reduce

from torch import nn

from transformer_workbook.lessons.add_and_norm.standins import LayerNorm, SublayerConnection
from transformer_workbook.lessons.feed_forward.standins import PositionwiseFeedForward
from transformer_workbook.lessons.multi_head_attention.standins import MultiHeadAttention


class _Layer(nn.Module):
    """A layer of the attentions that its class names, a feed-forward network, and connections."""

    attentions = ()

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        for name in self.attentions:
            self.add_module(name, MultiHeadAttention(d_model, num_heads, dropout=dropout))
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout=dropout)
        options = {"dropout": dropout, "norm_first": norm_first}
        connections = [SublayerConnection(d_model, **options) for _ in self._modules]
        self.sublayers = nn.ModuleList(connections)

    def _run(self, x, *sources):
        """`sources` has a pair for each attention: keys and values (None: its input), and mask."""
        steps = []
        for name, (source, mask) in zip(self.attentions, sources, strict=True):
            steps.append(_reader(self.get_submodule(name), source, mask))
        for connection, step in zip(self.sublayers, [*steps, self.feed_forward], strict=True):
            x = connection(x, step)
        return x


def _reader(attention, source, mask):
    def read(query):
        content = query if source is None else source
        return attention(query, key=content, value=content, mask=mask)

    return read


class EncoderLayer(_Layer):
    """Figure 1, left."""

    attentions = ("self_attn",)

    def forward(self, x, mask=None):
        return self._run(x, (None, mask))


class DecoderLayer(_Layer):
    """Figure 1, right."""

    attentions = ("self_attn", "cross_attn")

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        return self._run(x, (None, tgt_mask), (memory, src_mask))


class _Stack(nn.Module):
    """A stack of layers of one class, without shared weights."""

    layer_class = None

    def __init__(self, num_layers, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        options = {"dropout": dropout, "norm_first": norm_first}
        self.layers = nn.ModuleList()
        while len(self.layers) < num_layers:
            self.layers.append(self.layer_class(d_model, num_heads, d_ff, **options))
        self.norm = LayerNorm(d_model=d_model) if norm_first else nn.Sequential()


class Encoder(_Stack):
    """A stack of encoder layers; a last norm where norm_first."""

    layer_class = EncoderLayer

    def forward(self, x, mask=None):
        return self.norm(reduce(lambda below, layer: layer(below, mask), self.layers, x))


class Decoder(_Stack):
    """A stack of decoder layers; a last norm where norm_first."""

    layer_class = DecoderLayer

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        rest = (memory, src_mask, tgt_mask)
        return self.norm(reduce(lambda below, layer: layer(below, *rest), self.layers, x))
