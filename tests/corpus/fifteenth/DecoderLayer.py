# %% wrong: values-from-the-target | in cross-attention only the keys come from the memory; the values are the target's own vectors. It crashes unless source and target are equally long, and then nothing of the memory's content gets in but through the weights.
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.first = SublayerConnection(d_model, dropout, norm_first)
        self.second = SublayerConnection(d_model, dropout, norm_first)
        self.third = SublayerConnection(d_model, dropout, norm_first)
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        written = self.first(x, lambda y: self.self_attn(y, y, y, tgt_mask))
        informed = self.second(written, lambda y: self.cross_attn(y, memory, y, src_mask))
        return self.third(informed, self.feed_forward)

# %% wrong: masks-swapped | self-attention gets the source's mask and cross-attention the target's: the future is not hidden in the target, and where the lengths are equal the source is read through the causal triangle.
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

# %% wrong: one-attention-twice | two mistakes: self-attention and cross-attention are one module with one set of weights; and dropout is not passed on to the feed-forward network, which keeps its default.
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.self_attn = attn
        self.src_attn = attn
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff)
        self.sublayer = nn.ModuleList(
            [SublayerConnection(d_model, dropout, norm_first) for _ in range(3)]
        )
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        m = memory
        x = self.sublayer[0](x, lambda x: self.self_attn(x, x, x, tgt_mask))
        x = self.sublayer[1](x, lambda x: self.src_attn(x, m, m, src_mask))
        return self.sublayer[2](x, self.feed_forward)

# %% wrong: source-before-itself | the order of the two attentions is turned round: cross-attention comes first and masked self-attention second, where Figure 1 and the docstring have it the other way.
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.src_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayer = nn.ModuleList(
            [SublayerConnection(d_model, dropout, norm_first) for _ in range(3)]
        )
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        m = memory
        x = self.sublayer[0](x, lambda x: self.src_attn(x, m, m, src_mask))
        x = self.sublayer[1](x, lambda x: self.self_attn(x, x, x, tgt_mask))
        return self.sublayer[2](x, self.feed_forward)

# %% wrong: memory-is-normalized-too | as some pre-LN code does, the layer normalizes the memory itself (with the connection's norm) before it is read as key and value; the memory is to be read as it came, the encoder's stack has normalized it already.
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.res_self = SublayerConnection(d_model, dropout, norm_first)
        self.res_cross = SublayerConnection(d_model, dropout, norm_first)
        self.res_ff = SublayerConnection(d_model, dropout, norm_first)
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.res_self(x, lambda y: self.self_attn(y, y, y, tgt_mask))
        if self.norm_first:
            memory = self.res_cross.norm(memory)
        x = self.res_cross(x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.res_ff(x, self.feed_forward)
        return x

# %% wrong: connections-made-in-forward | the connections are made anew in every forward: their norms are no part of the layer (not trained, saved or moved), and being always in train mode they drop also in eval mode.
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sizes = (d_model, dropout, norm_first)
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        sublayers = (
            lambda y: self.self_attn(y, y, y, tgt_mask),
            lambda y: self.cross_attn(y, memory, memory, src_mask),
            self.feed_forward,
        )
        for sublayer in sublayers:
            connection = SublayerConnection(*self.sizes)
            x = connection(x, sublayer)
        return x

# %% right: zip-of-connections-and-steps
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        def attention():
            return MultiHeadAttention(d_model, num_heads, dropout)
        self.look_back, self.look_over = attention(), attention()
        self.think = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.around = nn.ModuleList()
        while len(self.around) < 3:
            self.around.append(SublayerConnection(d_model, dropout, norm_first))
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        steps = [
            lambda y: self.look_back(y, y, y, tgt_mask),
            lambda y: self.look_over(y, memory, memory, src_mask),
            self.think,
        ]
        for connection, step in zip(self.around, steps):
            x = connection(x, step)
        return x

# %% right: torch-style-blocks
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout=dropout)
        self.multihead_attn = MultiHeadAttention(d_model, num_heads, dropout=dropout)
        self.ff = PositionwiseFeedForward(d_model, d_ff, dropout=dropout)
        self.res1 = SublayerConnection(d_model, dropout, norm_first=norm_first)
        self.res2 = SublayerConnection(d_model, dropout, norm_first=norm_first)
        self.res3 = SublayerConnection(d_model, dropout, norm_first=norm_first)
    def _sa_block(self, x, attn_mask):
        return self.self_attn(x, x, x, mask=attn_mask)
    def _mha_block(self, x, mem, attn_mask):
        return self.multihead_attn(x, mem, mem, mask=attn_mask)
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.res1(x, lambda t: self._sa_block(t, tgt_mask))
        x = self.res2(x, lambda t: self._mha_block(t, memory, src_mask))
        x = self.res3(x, lambda t: self.ff(t))
        return x
