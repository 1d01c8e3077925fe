# %% right: skeleton filled in plainly
class DecoderLayer(nn.Module):
    """Attend within the target, then to the memory, then transform (Figure 1, right)."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x

# %% right: skeleton with keyword arguments and a list in brackets
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([
            SublayerConnection(d_model, dropout=dropout, norm_first=norm_first),
            SublayerConnection(d_model, dropout=dropout, norm_first=norm_first),
            SublayerConnection(d_model, dropout=dropout, norm_first=norm_first),
        ])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(query=y, key=y, value=y, mask=tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(query=y, key=memory, value=memory, mask=src_mask))
        x = self.sublayers[2](x, lambda y: self.feed_forward(y))
        return x

# %% right: three named connections, inner functions
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.masked_attention = MultiHeadAttention(d_model, num_heads, dropout)
        self.memory_attention = MultiHeadAttention(d_model, num_heads, dropout)
        self.network = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.connection_1 = SublayerConnection(d_model, dropout, norm_first)
        self.connection_2 = SublayerConnection(d_model, dropout, norm_first)
        self.connection_3 = SublayerConnection(d_model, dropout, norm_first)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        def look_back(y):
            return self.masked_attention(y, y, y, tgt_mask)

        def look_at_source(y):
            return self.memory_attention(y, memory, memory, src_mask)

        after_first = self.connection_1(x, look_back)
        after_second = self.connection_2(after_first, look_at_source)
        return self.connection_3(after_second, self.network)

# %% right: functools.partial
from functools import partial


class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        make = partial(SublayerConnection, d_model, dropout, norm_first)
        self.sublayers = nn.ModuleList(make() for _ in range(3))

    def _within(self, y, mask):
        return self.self_attn(y, y, y, mask)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        first, second, third = self.sublayers
        x = first(x, partial(self._within, mask=tgt_mask))
        x = second(x, partial(self.cross_attn, key=memory, value=memory, mask=src_mask))
        return third(x, self.feed_forward)

# %% right: zip over connections and sublayers
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList()
        while len(self.sublayers) < 3:
            self.sublayers.append(SublayerConnection(d_model, dropout, norm_first))

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        steps = (
            lambda y: self.self_attn(y, y, y, tgt_mask),
            lambda y: self.cross_attn(y, memory, memory, src_mask),
            self.feed_forward,
        )
        for connection, step in zip(self.sublayers, steps):
            x = connection(x, step)
        return x

# %% right: one nested expression
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.a, self.c = (MultiHeadAttention(d_model, num_heads, dropout) for _ in "ac")
        self.f = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.r, self.s, self.t = (SublayerConnection(d_model, dropout, norm_first) for _ in "rst")

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        return self.t(self.s(self.r(x, lambda y: self.a(y, y, y, tgt_mask)), lambda y: self.c(y, memory, memory, src_mask)), self.f)

# %% right: without SublayerConnection, own norms and one dropout
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.norms = nn.ModuleList(LayerNorm(d_model) for _ in range(3))
        self.dropout = nn.Dropout(dropout)  # has no state, so one will do
        self.norm_first = norm_first

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        if self.norm_first:
            y = self.norms[0](x)
            x = x + self.dropout(self.self_attn(y, y, y, tgt_mask))
            y = self.norms[1](x)
            x = x + self.dropout(self.cross_attn(y, memory, memory, src_mask))
            y = self.norms[2](x)
            return x + self.dropout(self.feed_forward(y))
        x = self.norms[0](x + self.dropout(self.self_attn(x, x, x, tgt_mask)))
        x = self.norms[1](x + self.dropout(self.cross_attn(x, memory, memory, src_mask)))
        return self.norms[2](x + self.dropout(self.feed_forward(x)))

# %% right: as in torch.nn, blocks _sa_block and so on
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.multihead_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.ff = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.norm1, self.norm2, self.norm3 = LayerNorm(d_model), LayerNorm(d_model), LayerNorm(d_model)
        self.dropout1 = nn.Dropout(dropout)
        self.dropout2 = nn.Dropout(dropout)
        self.dropout3 = nn.Dropout(dropout)
        self.norm_first = bool(norm_first)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), tgt_mask)
            x = x + self._mha_block(self.norm2(x), memory, src_mask)
            x = x + self._ff_block(self.norm3(x))
        else:
            x = self.norm1(x + self._sa_block(x, tgt_mask))
            x = self.norm2(x + self._mha_block(x, memory, src_mask))
            x = self.norm3(x + self._ff_block(x))
        return x

    def _sa_block(self, x, mask):
        return self.dropout1(self.self_attn(x, x, x, mask))

    def _mha_block(self, x, memory, mask):
        return self.dropout2(self.multihead_attn(x, memory, memory, mask))

    def _ff_block(self, x):
        return self.dropout3(self.ff(x))

# %% right: functional dropout and layer_norm on the parameters of LayerNorm
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.norms = nn.ModuleList([LayerNorm(d_model) for _ in range(3)])
        self.p = dropout
        self.pre = norm_first

    def _norm(self, i, x):
        norm = self.norms[i]
        return F.layer_norm(x, x.shape[-1:], norm.gamma, norm.beta, 1e-6)

    def _connect(self, i, x, sublayer):
        y = self._norm(i, x) if self.pre else x
        total = x + F.dropout(sublayer(y), self.p, self.training)
        return total if self.pre else self._norm(i, total)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self._connect(0, x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self._connect(1, x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        return self._connect(2, x, self.feed_forward)

# %% right: ModuleDict
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.parts = nn.ModuleDict({
            "self": MultiHeadAttention(d_model, num_heads, dropout),
            "cross": MultiHeadAttention(d_model, num_heads, dropout),
            "think": PositionwiseFeedForward(d_model, d_ff, dropout),
        })
        self.add_and_norm = nn.ModuleDict(
            {name: SublayerConnection(d_model, dropout, norm_first) for name in ("self", "cross", "think")}
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        parts = self.parts
        what = {
            "self": lambda y: parts["self"](y, y, y, tgt_mask),
            "cross": lambda y: parts["cross"](y, memory, memory, src_mask),
            "think": parts["think"],
        }
        for name, sublayer in what.items():
            x = self.add_and_norm[name](x, sublayer)
        return x

# %% right: add_module and getattr
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        nn.Module.__init__(self)
        self.add_module("attend_self", MultiHeadAttention(d_model, num_heads, dropout))
        self.add_module("attend_memory", MultiHeadAttention(d_model, num_heads, dropout))
        self.add_module("mlp", PositionwiseFeedForward(d_model, d_ff, dropout))
        for i in (1, 2, 3):
            self.add_module("residual%d" % i, SublayerConnection(d_model, dropout, norm_first))

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        functions = [
            lambda y: self.attend_self(y, y, y, tgt_mask),
            lambda y: self.attend_memory(y, memory, memory, src_mask),
            lambda y: self.mlp(y),
        ]
        for i, function in enumerate(functions, start=1):
            x = getattr(self, "residual%d" % i)(x, function)
        return x

# %% right: reduce
import functools


class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            map(lambda _: SublayerConnection(d_model, dropout, norm_first), range(3))
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        todo = [
            lambda y: self.self_attn(y, y, y, tgt_mask),
            lambda y: self.cross_attn(y, memory, memory, src_mask),
            self.feed_forward,
        ]
        return functools.reduce(lambda z, pair: pair[0](z, pair[1]), zip(self.sublayers, todo), x)

# %% right: small module classes for the three sublayers
class _SelfBlock(nn.Module):
    def __init__(self, d_model, num_heads, dropout, norm_first):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads, dropout)
        self.connection = SublayerConnection(d_model, dropout, norm_first)

    def forward(self, x, mask):
        return self.connection(x, lambda y: self.attention(y, y, y, mask))


class _CrossBlock(_SelfBlock):
    def forward(self, x, memory, mask):
        return self.connection(x, lambda y: self.attention(y, memory, memory, mask))


class _ThinkBlock(nn.Module):
    def __init__(self, d_model, d_ff, dropout, norm_first):
        super().__init__()
        self.network = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.connection = SublayerConnection(d_model, dropout, norm_first)

    def forward(self, x):
        return self.connection(x, self.network)


class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.look_back = _SelfBlock(d_model, num_heads, dropout, norm_first)
        self.look_across = _CrossBlock(d_model, num_heads, dropout, norm_first)
        self.think = _ThinkBlock(d_model, d_ff, dropout, norm_first)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        return self.think(self.look_across(self.look_back(x, tgt_mask), memory, src_mask))

# %% right: type annotations and checks
from typing import Optional

import torch
from torch import Tensor


class DecoderLayer(nn.Module):
    def __init__(
        self, d_model: int, num_heads: int, d_ff: int, dropout: float = 0.1, norm_first: bool = False
    ) -> None:
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"d_model {d_model} is not a multiple of num_heads {num_heads}")
        self.d_model = d_model
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            [SublayerConnection(d_model, dropout, norm_first) for _ in range(3)]
        )

    def forward(
        self,
        x: Tensor,
        memory: Tensor,
        src_mask: Optional[Tensor] = None,
        tgt_mask: Optional[Tensor] = None,
    ) -> Tensor:
        if x.size(-1) != self.d_model or memory.size(-1) != self.d_model:
            raise ValueError("x and memory need d_model features")
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x

    def extra_repr(self) -> str:
        return f"d_model={self.d_model}"

# %% right: more than asked, a flag for returning the weights
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False, **unused):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            [SublayerConnection(d_model, dropout, norm_first) for _ in range(3)]
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None, need_weights=False):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.sublayers[2](x, self.feed_forward)
        if need_weights:
            return x, self.cross_attn.weights
        return x

# %% right: subclass of a general layer that takes a list of sources
class _AttendingLayer(nn.Module):
    """Any number of attentions, then the network."""

    def __init__(self, attentions, d_model, num_heads, d_ff, dropout, norm_first):
        super().__init__()
        self.attentions = nn.ModuleList(
            MultiHeadAttention(d_model, num_heads, dropout) for _ in range(attentions)
        )
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(attentions + 1)
        )

    def run(self, x, sources):
        """sources: pairs of (what is looked at, or None for the layer's own input; mask)."""
        for attention, connection, (source, mask) in zip(self.attentions, self.sublayers, sources):

            def attend(y, attention=attention, source=source, mask=mask):
                seen = y if source is None else source
                return attention(y, seen, seen, mask)

            x = connection(x, attend)
        return self.sublayers[-1](x, self.feed_forward)


class DecoderLayer(_AttendingLayer):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__(2, d_model, num_heads, d_ff, dropout, norm_first)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        return self.run(x, [(None, tgt_mask), (memory, src_mask)])

# %% right: properties name the parts of the lists
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.attn = nn.ModuleList([MultiHeadAttention(d_model, num_heads, dropout) for _ in range(2)])
        self.ffn = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.conn = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])

    @property
    def self_attn(self):
        return self.attn[0]

    @property
    def cross_attn(self):
        return self.attn[1]

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        h = self.conn[0](x, lambda q: self.self_attn(q, q, q, tgt_mask))
        h = self.conn[1](h, lambda q: self.cross_attn(q, memory, memory, src_mask))
        return self.conn[2](h, self.ffn)

# %% right: in-place addition on own fresh tensors
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.norms = nn.ModuleList(LayerNorm(d_model) for _ in range(3))
        self.drops = nn.ModuleList(nn.Dropout(dropout) for _ in range(3))
        self.norm_first = norm_first

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        sublayers = (
            lambda y: self.self_attn(y, y, y, tgt_mask),
            lambda y: self.cross_attn(y, memory, memory, src_mask),
            self.feed_forward,
        )
        for norm, drop, sublayer in zip(self.norms, self.drops, sublayers):
            change = drop(sublayer(norm(x) if self.norm_first else x)).clone()
            change += x  # the change is ours, x is not
            x = change if self.norm_first else norm(change)
        return x

# %% right: pre- and post-norm as two methods, chosen when it is built
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.norm_a = LayerNorm(d_model)
        self.norm_b = LayerNorm(d_model)
        self.norm_c = LayerNorm(d_model)
        self.dropout = nn.Dropout(p=dropout)
        self.arrangement = "pre" if norm_first else "post"

    def _pre(self, x, norm, sublayer):
        return x + self.dropout(sublayer(norm(x)))

    def _post(self, x, norm, sublayer):
        return norm(x + self.dropout(sublayer(x)))

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        add_norm = getattr(self, "_" + self.arrangement)
        x = add_norm(x, self.norm_a, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = add_norm(x, self.norm_b, lambda y: self.cross_attn(y, memory, memory, src_mask))
        return add_norm(x, self.norm_c, self.feed_forward)

# %% right: beginner, verbose
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super(DecoderLayer, self).__init__()
        self.d_model = d_model
        self.num_heads = num_heads
        self.d_ff = d_ff
        self.norm_first = norm_first
        self.self_attn = MultiHeadAttention(d_model=d_model, num_heads=num_heads, dropout=dropout)
        self.cross_attn = MultiHeadAttention(d_model=d_model, num_heads=num_heads, dropout=dropout)
        self.feed_forward = PositionwiseFeedForward(d_model=d_model, d_ff=d_ff, dropout=dropout)
        connections = []
        for number in range(3):
            connection = SublayerConnection(d_model=d_model, dropout=dropout, norm_first=norm_first)
            connections.append(connection)
        self.sublayers = nn.ModuleList(connections)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        # 1. what did I write so far?
        def self_attention(y):
            query = y
            key = y
            value = y
            result = self.self_attn(query, key, value, tgt_mask)
            return result

        x_after_self_attention = self.sublayers[0](x, self_attention)

        # 2. what does the source say?
        def cross_attention(y):
            query = y
            key = memory
            value = memory
            result = self.cross_attn(query, key, value, src_mask)
            return result

        x_after_cross_attention = self.sublayers[1](x_after_self_attention, cross_attention)

        # 3. think
        def feed_forward(y):
            result = self.feed_forward(y)
            return result

        x_after_feed_forward = self.sublayers[2](x_after_cross_attention, feed_forward)
        return x_after_feed_forward

# %% right: a callable object instead of a lambda
class _Attend:
    def __init__(self, attention, memory=None, mask=None):
        self.attention, self.memory, self.mask = attention, memory, mask

    def __call__(self, y):
        seen = self.memory if self.memory is not None else y
        return self.attention(y, seen, seen, self.mask)


class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            [SublayerConnection(d_model, dropout, norm_first) for _ in range(3)]
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, _Attend(self.self_attn, mask=tgt_mask))
        x = self.sublayers[1](x, _Attend(self.cross_attn, memory, src_mask))
        return self.sublayers[2](x, self.feed_forward)

# %% right: connections created before the attentions
class DecoderLayer(nn.Module):
    """Figure 1, right; the order in which parts are created within a kind is that of the figure."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        return self.sublayers[2](x, self.feed_forward)

# %% right: nn.LayerNorm with the course's eps
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.norm1 = nn.LayerNorm(d_model, eps=1e-6)
        self.norm2 = nn.LayerNorm(d_model, eps=1e-6)
        self.norm3 = nn.LayerNorm(d_model, eps=1e-6)
        self.drop = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        if not self.norm_first:
            x = self.norm1(x + self.drop(self.self_attn(x, x, x, tgt_mask)))
            x = self.norm2(x + self.drop(self.cross_attn(x, memory, memory, src_mask)))
            x = self.norm3(x + self.drop(self.feed_forward(x)))
            return x
        q = self.norm1(x)
        x = x + self.drop(self.self_attn(q, q, q, tgt_mask))
        x = x + self.drop(self.cross_attn(self.norm2(x), memory, memory, src_mask))
        return x + self.drop(self.feed_forward(self.norm3(x)))

# %% right: an iterator over the connections
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        sizes = dict(d_model=d_model, dropout=dropout)
        self.self_attn = MultiHeadAttention(num_heads=num_heads, **sizes)
        self.cross_attn = MultiHeadAttention(num_heads=num_heads, **sizes)
        self.feed_forward = PositionwiseFeedForward(d_ff=d_ff, **sizes)
        self.sublayers = nn.ModuleList([SublayerConnection(norm_first=norm_first, **sizes) for _ in range(3)])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        connect = iter(self.sublayers)
        x = next(connect)(x, lambda target: self.self_attn(target, target, target, tgt_mask))
        x = next(connect)(x, lambda target: self.cross_attn(target, memory, memory, src_mask))
        x = next(connect)(x, self.feed_forward)
        return x

# %% wrong: masks swapped | each attention gets the other one's mask; runs where S = T
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, src_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, tgt_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x

# %% wrong: masks swapped in the signature | forward takes tgt_mask before src_mask: right only by keyword
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.connections = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])

    def forward(self, x, memory, tgt_mask=None, src_mask=None):
        x = self.connections[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.connections[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        return self.connections[2](x, self.feed_forward)

# %% wrong: no mask in self-attention | the target sees its future
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x

# %% wrong: no mask in cross-attention | the source's padding is attended to
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.ffn = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.res1 = SublayerConnection(d_model, dropout, norm_first)
        self.res2 = SublayerConnection(d_model, dropout, norm_first)
        self.res3 = SublayerConnection(d_model, dropout, norm_first)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.res1(x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.res2(x, lambda y: self.cross_attn(y, memory, memory))
        return self.res3(x, self.ffn)

# %% wrong: the memory asks | cross-attention turned around: memory is the query; runs where S = T
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(memory, y, y, src_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x

# %% wrong: value from the target | key is the memory, value is y: runs where S = T
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, y, src_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x

# %% wrong: key from the target | value is the memory, key is y: runs where S = T
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.attentions = nn.ModuleList(MultiHeadAttention(d_model, num_heads, dropout) for _ in range(2))
        self.ff = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.add_norm = nn.ModuleList(SublayerConnection(d_model, dropout, norm_first) for _ in range(3))

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        within, across = self.attentions
        x = self.add_norm[0](x, lambda q: within(q, q, q, tgt_mask))
        x = self.add_norm[1](x, lambda q: across(q, q, memory, src_mask))
        return self.add_norm[2](x, self.ff)

# %% wrong: self-attention twice | the memory is never looked at
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, y, y, tgt_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x

# %% wrong: the first attention used twice | cross_attn is built but self_attn is called for the memory, too
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.self_attn(y, memory, memory, src_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x

# %% wrong: one attention for both | self_attn and cross_attn are the same module and share their weights
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        attention = MultiHeadAttention(d_model, num_heads, dropout)
        self.self_attn = attention
        self.cross_attn = attention
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        return self.sublayers[2](x, self.feed_forward)

# %% wrong: one connection repeated | [connection] * 3: one norm for all three
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first)] * 3)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x

# %% wrong: connections in a plain list | PyTorch does not find the norms: not trained, not saved, not put into eval mode
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = [SublayerConnection(d_model, dropout, norm_first) for _ in range(3)]

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x

# %% wrong: attentions in a tuple | the attentions are no submodules, so their weights are not among the parameters
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.attn = (
            MultiHeadAttention(d_model, num_heads, dropout),
            MultiHeadAttention(d_model, num_heads, dropout),
        )
        self.ff = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.conn = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.conn[0](x, lambda y: self.attn[0](y, y, y, tgt_mask))
        x = self.conn[1](x, lambda y: self.attn[1](y, memory, memory, src_mask))
        return self.conn[2](x, self.ff)

# %% wrong: two connections | the last one is used for cross-attention and feed-forward alike
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(2)
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.sublayers[-1](x, self.feed_forward)
        return x

# %% wrong: index of the second connection copied | sublayers[1] is used twice, sublayers[2] never
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.sublayers[1](x, self.feed_forward)
        return x

# %% wrong: a fourth norm at the end | a last LayerNorm in each layer
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(SublayerConnection(d_model, dropout, norm_first) for _ in range(3))
        self.norm = LayerNorm(d_model) if norm_first else nn.Identity()

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return self.norm(x)

# %% wrong: dropout not passed to the connections | they keep 0.1
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, norm_first=norm_first) for _ in range(3)
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x

# %% wrong: dropout not passed to the attentions | they keep 0.1, also where 0 is asked for
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads)
        self.cross_attn = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for i in range(3)])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        return self.sublayers[2](x, self.feed_forward)

# %% wrong: dropout not passed to the network | the feed-forward network keeps 0.1
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout=dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout=dropout)
        self.mlp = PositionwiseFeedForward(d_model, d_ff)
        self.a = SublayerConnection(d_model, dropout, norm_first)
        self.b = SublayerConnection(d_model, dropout, norm_first)
        self.c = SublayerConnection(d_model, dropout, norm_first)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.a(x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.b(x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.c(x, self.mlp)
        return x

# %% wrong: norm_first not passed on | always post-norm
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(SublayerConnection(d_model, dropout) for _ in range(3))

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x

# %% wrong: norm_first for the first connection only | the other two are post-norm whatever the flag says
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([
            SublayerConnection(d_model, dropout, norm_first),
            SublayerConnection(d_model, dropout),
            SublayerConnection(d_model, dropout),
        ])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        return self.sublayers[2](x, self.feed_forward)

# %% wrong: dropout and norm_first exchanged | SublayerConnection(d_model, norm_first, dropout): 0.1 counts as True
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, norm_first, dropout) for _ in range(3)
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x

# %% wrong: default is pre-norm | norm_first=True by default
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=True):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        return self.sublayers[2](x, self.feed_forward)

# %% wrong: default dropout of 0 | dropout=0.0 by default instead of 0.1
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for connection, sublayer in zip(self.sublayers, (
            lambda y: self.self_attn(y, y, y, tgt_mask),
            lambda y: self.cross_attn(y, memory, memory, src_mask),
            self.feed_forward,
        )):
            x = connection(x, sublayer)
        return x

# %% wrong: cross-attention before self-attention | the order of the first two sublayers
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.sublayers[1](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x

# %% wrong: network in the middle | the network comes before cross-attention
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.c1, self.c2, self.c3 = [SublayerConnection(d_model, dropout, norm_first) for _ in range(3)]

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.c1(x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.c2(x, self.feed_forward)
        x = self.c3(x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        return x

# %% wrong: network without its connection | x = feed_forward(x): no residual, no norm
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.feed_forward(x)
        return x

# %% wrong: network forgotten | two sublayers only, the third connection gets the identity
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.sublayers[2](x, lambda y: y)
        return x

# %% wrong: result given instead of a function | SublayerConnection calls its second argument itself: a tensor cannot be called
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.sublayers[2](x, self.feed_forward(x))
        return x

# %% wrong: lambda uses x for cross-attention | with norm_first the query is not normalized
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(x, memory, memory, src_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x

# %% wrong: lambda uses x for key and value of self-attention | with norm_first only the query is normalized
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, x, x, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x

# %% wrong: lambda uses x for the network | with norm_first the third norm has no effect
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.sublayers[2](x, lambda y: self.feed_forward(x))
        return x

# %% wrong: computed first, then wrapped | lambda y: out ignores y: wrong with norm_first
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.ff = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.conn = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        attended = self.self_attn(x, x, x, tgt_mask)
        x = self.conn[0](x, lambda _: attended)
        crossed = self.cross_attn(x, memory, memory, src_mask)
        x = self.conn[1](x, lambda _: crossed)
        thought = self.ff(x)
        return self.conn[2](x, lambda _: thought)

# %% wrong: added twice | the lambda returns y + attention, but the connection adds, too
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: y + self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: y + self.cross_attn(y, memory, memory, src_mask))
        x = self.sublayers[2](x, lambda y: y + self.feed_forward(y))
        return x

# %% wrong: residual around the whole layer | the input of the layer is added once more at the end
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        residual = x
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return residual + x

# %% wrong: parallel sublayers | all three read the layer's input, their results are added up
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.norms = nn.ModuleList(LayerNorm(d_model) for _ in range(3))
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        if self.norm_first:
            a, b, c = (norm(x) for norm in self.norms)
            return (
                x
                + self.dropout(self.self_attn(a, a, a, tgt_mask))
                + self.dropout(self.cross_attn(b, memory, memory, src_mask))
                + self.dropout(self.feed_forward(c))
            )
        x = self.norms[0](x + self.dropout(self.self_attn(x, x, x, tgt_mask)))
        x = self.norms[1](x + self.dropout(self.cross_attn(x, memory, memory, src_mask)))
        return self.norms[2](x + self.dropout(self.feed_forward(x)))

# %% wrong: residual from the normalized input | pre-norm adds to norm(x), not to x
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.norms = nn.ModuleList([LayerNorm(d_model) for _ in range(3)])
        self.drop = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        def step(i, x, f):
            if self.norm_first:
                x = self.norms[i](x)
                return x + self.drop(f(x))
            return self.norms[i](x + self.drop(f(x)))

        x = step(0, x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = step(1, x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        return step(2, x, self.feed_forward)

# %% wrong: norm outside of the residual | post-norm as x + norm(dropout(sublayer(x)))
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.norm1, self.norm2, self.norm3 = (LayerNorm(d_model) for _ in range(3))
        self.drop = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        if self.norm_first:
            y = self.norm1(x)
            x = x + self.drop(self.self_attn(y, y, y, tgt_mask))
            x = x + self.drop(self.cross_attn(self.norm2(x), memory, memory, src_mask))
            return x + self.drop(self.feed_forward(self.norm3(x)))
        x = x + self.norm1(self.drop(self.self_attn(x, x, x, tgt_mask)))
        x = x + self.norm2(self.drop(self.cross_attn(x, memory, memory, src_mask)))
        return x + self.norm3(self.drop(self.feed_forward(x)))

# %% wrong: dropout on the sum | post-norm drops x + sublayer(x), the residual path included
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.norms = nn.ModuleList([LayerNorm(d_model) for _ in range(3)])
        self.drop = nn.Dropout(dropout)
        self.norm_first = norm_first

    def connect(self, norm, x, f):
        if self.norm_first:
            return self.drop(x + f(norm(x)))
        return norm(self.drop(x + f(x)))

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.connect(self.norms[0], x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.connect(self.norms[1], x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        return self.connect(self.norms[2], x, self.feed_forward)

# %% wrong: no dropout on the sublayers | own norms and sums, but the outer dropout is forgotten
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.norms = nn.ModuleList([LayerNorm(d_model) for _ in range(3)])
        self.norm_first = norm_first

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        n1, n2, n3 = self.norms
        if self.norm_first:
            y = n1(x)
            x = x + self.self_attn(y, y, y, tgt_mask)
            x = x + self.cross_attn(n2(x), memory, memory, src_mask)
            return x + self.feed_forward(n3(x))
        x = n1(x + self.self_attn(x, x, x, tgt_mask))
        x = n2(x + self.cross_attn(x, memory, memory, src_mask))
        return n3(x + self.feed_forward(x))

# %% wrong: dropout also in eval mode | F.dropout without training=self.training
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.norms = nn.ModuleList([LayerNorm(d_model) for _ in range(3)])
        self.p, self.norm_first = dropout, norm_first

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        fs = (
            lambda y: self.self_attn(y, y, y, tgt_mask),
            lambda y: self.cross_attn(y, memory, memory, src_mask),
            self.feed_forward,
        )
        for norm, f in zip(self.norms, fs):
            if self.norm_first:
                x = x + F.dropout(f(norm(x)), self.p)
            else:
                x = norm(x + F.dropout(f(x), self.p))
        return x

# %% wrong: dropout twice | the lambda drops once more what the connection drops anyway
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.dropout = nn.Dropout(dropout)
        self.sublayers = nn.ModuleList(SublayerConnection(d_model, dropout, norm_first) for _ in range(3))

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.dropout(self.self_attn(y, y, y, tgt_mask)))
        x = self.sublayers[1](x, lambda y: self.dropout(self.cross_attn(y, memory, memory, src_mask)))
        x = self.sublayers[2](x, lambda y: self.dropout(self.feed_forward(y)))
        return x

# %% wrong: memory detached | the encoder gets no gradient
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        memory = memory.detach()  # changed by none
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x

# %% wrong: no_grad around cross-attention | its weights never learn, and neither does the encoder
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(SublayerConnection(d_model, dropout, norm_first) for _ in range(3))

    @torch.no_grad()
    def look_at(self, y, memory, mask):
        return self.cross_attn(y, memory, memory, mask)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.look_at(y, memory, src_mask))
        return self.sublayers[2](x, self.feed_forward)

# %% wrong: memory normalized | with norm_first the second norm acts on the memory, too
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.norms = nn.ModuleList([LayerNorm(d_model) for _ in range(3)])
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        if self.norm_first:
            y = self.norms[0](x)
            x = x + self.dropout(self.self_attn(y, y, y, tgt_mask))
            y, m = self.norms[1](x), self.norms[1](memory)
            x = x + self.dropout(self.cross_attn(y, m, m, src_mask))
            return x + self.dropout(self.feed_forward(self.norms[2](x)))
        x = self.norms[0](x + self.dropout(self.self_attn(x, x, x, tgt_mask)))
        x = self.norms[1](x + self.dropout(self.cross_attn(x, memory, memory, src_mask)))
        return self.norms[2](x + self.dropout(self.feed_forward(x)))

# %% wrong: adds into x | x += ... changes the caller's tensor
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.norms = nn.ModuleList([LayerNorm(d_model) for _ in range(3)])
        self.drops = nn.ModuleList([nn.Dropout(dropout) for _ in range(3)])
        self.norm_first = norm_first

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        y = self.norms[0](x) if self.norm_first else x
        x += self.drops[0](self.self_attn(y, y, y, tgt_mask))
        if not self.norm_first:
            x = self.norms[0](x)
        y = self.norms[1](x) if self.norm_first else x
        x = x + self.drops[1](self.cross_attn(y, memory, memory, src_mask))
        if not self.norm_first:
            x = self.norms[1](x)
        y = self.norms[2](x) if self.norm_first else x
        x = x + self.drops[2](self.feed_forward(y))
        return x if self.norm_first else self.norms[2](x)

# %% wrong: memory zeroed in place | hidden source positions are written over in the caller's memory
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        if src_mask is not None:
            memory.data.masked_fill_(~src_mask[:, 0, 0, :, None], 0.0)
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        return self.sublayers[2](x, self.feed_forward)

# %% wrong: masking by zeroing the memory | zero vectors instead of a mask still take a share of the attention
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        if src_mask is not None:
            memory = memory * src_mask[:, 0, 0, :, None]
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory))
        return self.sublayers[2](x, self.feed_forward)

# %% wrong: always causal | a tgt_mask of None is replaced by a causal one
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        if tgt_mask is None:
            size = x.size(1)
            tgt_mask = torch.ones(1, 1, size, size, dtype=torch.bool, device=x.device).tril()
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x

# %% wrong: own causal mask instead of the one given | the padding of the target is not hidden
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        causal = None
        if tgt_mask is not None:
            causal = torch.ones(x.size(1), x.size(1), dtype=torch.bool, device=x.device).tril()
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, causal))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        return self.sublayers[2](x, self.feed_forward)

# %% wrong: masks inverted | passed on as in torch.nn, where True hides
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        src_hidden = None if src_mask is None else ~src_mask
        tgt_hidden = None if tgt_mask is None else ~tgt_mask
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_hidden))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_hidden))
        return self.sublayers[2](x, self.feed_forward)

# %% wrong: mask inverted in place | logical_not_ on the caller's mask, so every second call is the other way round
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        hidden = src_mask
        if hidden is not None:
            hidden = hidden.logical_not_().logical_not()
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, hidden))
        return self.sublayers[2](x, self.feed_forward)

# %% wrong: mask kept between calls | the first masks are remembered and used again where None is given
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])
        self.src_mask = self.tgt_mask = None

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        if src_mask is not None:
            self.src_mask = src_mask
        if tgt_mask is not None:
            self.tgt_mask = tgt_mask
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, self.tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, self.src_mask))
        return self.sublayers[2](x, self.feed_forward)

# %% wrong: memory kept between calls | the first memory of each shape is used for ever
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])
        self._memories = {}

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        # "computed once, looked at by every layer"
        memory = self._memories.setdefault(tuple(memory.shape), memory)
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        return self.sublayers[2](x, self.feed_forward)

# %% wrong: lambdas built in the constructor | they hold the first self: a deep copy of the layer goes on with the original's weights
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])
        self.steps = [
            lambda y, memory, src_mask, tgt_mask: self.self_attn(y, y, y, tgt_mask),
            lambda y, memory, src_mask, tgt_mask: self.cross_attn(y, memory, memory, src_mask),
            lambda y, memory, src_mask, tgt_mask: self.feed_forward(y),
        ]

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        for connection, step in zip(self.sublayers, self.steps):
            x = connection(x, lambda y: step(y, memory, src_mask, tgt_mask))
        return x

# %% wrong: late binding | the lambdas are made in a loop and all see the loop's last values
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        steps = []
        for attention, source, mask in (
            (self.self_attn, None, tgt_mask),
            (self.cross_attn, memory, src_mask),
        ):
            steps.append(
                lambda y: attention(y, y if source is None else source, y if source is None else source, mask)
            )
        steps.append(self.feed_forward)
        for connection, step in zip(self.sublayers, steps):
            x = connection(x, step)
        return x

# %% wrong: one mask variable for both | mask is changed before the first lambda is called
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        mask = tgt_mask
        attend_self = lambda y: self.self_attn(y, y, y, mask)
        mask = src_mask
        attend_memory = lambda y: self.cross_attn(y, memory, memory, mask)
        x = self.sublayers[0](x, attend_self)
        x = self.sublayers[1](x, attend_memory)
        return self.sublayers[2](x, self.feed_forward)

# %% wrong: eight heads | num_heads is ignored
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, 8 if d_model % 8 == 0 else num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, 8 if d_model % 8 == 0 else num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        return self.sublayers[2](x, self.feed_forward)

# %% wrong: single-head cross-attention | num_heads goes to self-attention only
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, 1, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        return self.sublayers[2](x, self.feed_forward)

# %% wrong: network always four times as wide | d_ff is ignored
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, 4 * d_model, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        return self.sublayers[2](x, self.feed_forward)

# %% wrong: sizes of the network exchanged | PositionwiseFeedForward(d_ff, d_model) expects vectors of d_ff features
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_ff, d_model, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        return self.sublayers[2](x, self.feed_forward)

# %% wrong: returns the memory, too | a tuple, so that layers could be put into nn.Sequential
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x, memory

# %% wrong: intermediate result returned | the last line assigns to another name
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.connect = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.connect[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.connect[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        output = self.connect[2](x, self.feed_forward)
        return x

# %% wrong: cross-attention reads the layer's input | the result of self-attention is dropped
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.connect = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        h = self.connect[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        h = self.connect[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        return self.connect[2](h, self.feed_forward)

# %% wrong: query before self-attention | what asks the memory is the layer's input; the residual path is right
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.connect = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        target = x
        x = self.connect[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.connect[1](x, lambda y: self.cross_attn(target, memory, memory, src_mask))
        return self.connect[2](x, self.feed_forward)

# %% wrong: memory cut to the target's length | "they have to be equally long": what lies behind is never read
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        memory = memory[:, : x.size(1)]
        if src_mask is not None:
            src_mask = src_mask[..., : x.size(1)]
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        return self.sublayers[2](x, self.feed_forward)

# %% wrong: cross-attention causal, too | where S = T the source's future is hidden from each target position
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        cross_mask = src_mask
        if src_mask is not None and tgt_mask is not None and memory.size(1) == x.size(1):
            cross_mask = src_mask & tgt_mask
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, cross_mask))
        return self.sublayers[2](x, self.feed_forward)

# %% wrong: no memory mask, no cross-attention | src_mask None is taken for "no source"
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        if src_mask is not None:
            x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        return self.sublayers[2](x, self.feed_forward)

# %% wrong: masks needed | no defaults for the masks: a call without them fails
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])

    def forward(self, x, memory, src_mask, tgt_mask):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        return self.sublayers[2](x, self.feed_forward)

# %% wrong: first row of the masks for all | masks squeezed to batch 1: every row of the batch gets the first one's padding
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        if src_mask is not None:
            src_mask = src_mask[:1]
        if tgt_mask is not None:
            tgt_mask = tgt_mask[:1]
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        return self.sublayers[2](x, self.feed_forward)

# %% wrong: norms without parameters | F.layer_norm with neither gamma nor beta (and torch's eps of 1e-5)
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.dropout = nn.Dropout(dropout)
        self.norm_first, self.d_model = norm_first, d_model

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        def norm(z):
            return F.layer_norm(z, (self.d_model,))

        for f in (
            lambda y: self.self_attn(y, y, y, tgt_mask),
            lambda y: self.cross_attn(y, memory, memory, src_mask),
            self.feed_forward,
        ):
            if self.norm_first:
                x = x + self.dropout(f(norm(x)))
            else:
                x = norm(x + self.dropout(f(x)))
        return x

# %% wrong: half precision inside | x is rounded to bfloat16 on its way in, "to save memory"
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        dtype = x.dtype
        x, memory = (z.to(torch.bfloat16).to(dtype) for z in (x, memory))
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        return self.sublayers[2](x, self.feed_forward)

# %% wrong: one layer for all | parts are made once at class level, so all DecoderLayers of a size share their weights
class DecoderLayer(nn.Module):
    _parts = {}

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        key = (d_model, num_heads, d_ff, dropout, norm_first)
        if key not in self._parts:
            self._parts[key] = (
                MultiHeadAttention(d_model, num_heads, dropout),
                MultiHeadAttention(d_model, num_heads, dropout),
                PositionwiseFeedForward(d_model, d_ff, dropout),
            )
        self.self_attn, self.cross_attn, self.feed_forward = self._parts[key]
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        return self.sublayers[2](x, self.feed_forward)

# %% wrong: super forgotten | nn.Module's constructor is not called
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x

# %% wrong: cross-attention in eval mode for good | a part is put into eval mode to keep its weights for a picture, and stays there
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        self.cross_attn.eval()  # weights without dropout, for the alignment
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        return self.sublayers[2](x, self.feed_forward)
