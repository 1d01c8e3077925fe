# %% wrong: same_attention_twice | TRUE CAUSE: the cross-attention calls self.self_attn instead of self.cross_attn, so both attentions share one set of weights and cross_attn is never used
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
        x = self.sublayers[1](x, lambda y: self.self_attn(y, memory, memory, src_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x
# %% wrong: one_connection_three_times | TRUE CAUSE: `[SublayerConnection(...)] * 3` is one object three times, so the three sublayers share one norm's weights instead of having their own
class DecoderLayer(nn.Module):
    """Attend within the target, then to the memory, then transform (Figure 1, right)."""

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
# %% wrong: own_memory_first | TRUE CAUSE: the order of the attentions is turned round: the layer first attends to the memory and only then within the target
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            [SublayerConnection(d_model, dropout, norm_first) for _ in "abc"]
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        def ask_source(q):
            return self.cross_attn(q, memory, memory, src_mask)

        def ask_target(q):
            return self.self_attn(q, q, q, tgt_mask)

        out = x
        for wrap, step in zip(self.sublayers, [ask_source, ask_target, self.feed_forward]):
            out = wrap(out, step)
        return out
# %% wrong: own_lambdas_in_a_comprehension | TRUE CAUSE: the lambdas of the list comprehension look up attention, source and mask only when they are called, when these have their last values, so the first sublayer does cross-attention too and self_attn with tgt_mask is never used
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList()
        for _ in range(3):
            self.sublayers.append(SublayerConnection(d_model, dropout, norm_first))

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        plan = [(self.self_attn, None, tgt_mask), (self.cross_attn, memory, src_mask)]
        steps = [
            lambda y: attention(y, *([y, y] if source is None else [source, source]), mask)
            for attention, source, mask in plan
        ]
        steps.append(self.feed_forward)
        for connection, step in zip(self.sublayers, steps):
            x = connection(x, step)
        return x
