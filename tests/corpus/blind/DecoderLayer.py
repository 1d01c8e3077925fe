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
# %% right: subclass of a general layer that takes a list of sources
class _AttendingLayer(nn.Module):
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
