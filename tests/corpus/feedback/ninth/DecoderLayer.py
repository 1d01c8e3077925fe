# %% wrong: self_attn_also_for_memory | TRUE CAUSE: the cross-attention sublayer calls `self.self_attn` instead of `self.cross_attn`, so both attentions use the same weights and those of cross_attn are never used or trained.
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

# %% wrong: dropout_and_norm_first_exchanged | TRUE CAUSE: the connections get their arguments in the wrong order (`SublayerConnection(d_model, norm_first, dropout)`), so any dropout above 0 makes them pre-norm, and their own dropout is 0, or 1 with norm_first.
class DecoderLayer(nn.Module):
    """Attend within the target, then to the memory, then transform (Figure 1, right)."""

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

# %% wrong: own_dropout_in_eval_mode | TRUE CAUSE: the updates go through `F.dropout(update, self.p)` without `training=self.training`, so the layer still drops numbers at random after eval().
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.p, self.pre = dropout, norm_first
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.norms = nn.ModuleList([LayerNorm(d_model), LayerNorm(d_model), LayerNorm(d_model)])

    def add_and_norm(self, x, norm, f):
        if self.pre:
            return x + F.dropout(f(norm(x)), self.p)
        return norm(x + F.dropout(f(x), self.p))

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        n1, n2, n3 = self.norms
        x = self.add_and_norm(x, n1, lambda q: self.self_attn(q, q, q, tgt_mask))
        x = self.add_and_norm(x, n2, lambda q: self.cross_attn(q, memory, memory, src_mask))
        return self.add_and_norm(x, n3, self.feed_forward)

# %% wrong: own_lambdas_in_a_loop | TRUE CAUSE: the lambdas are made in a list comprehension and look up `attn`, `asked` and `mask` only when called, when these hold the last entry, so the first sublayer too is cross-attention to the memory and the target never attends to itself.
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.connections = nn.ModuleList()
        for _ in range(3):
            self.connections.append(SublayerConnection(d_model, dropout, norm_first))

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        attentions = [(self.self_attn, None, tgt_mask), (self.cross_attn, memory, src_mask)]
        steps = [
            lambda y: attn(y, y, y, mask) if asked is None else attn(y, asked, asked, mask)
            for attn, asked, mask in attentions
        ]
        steps.append(self.feed_forward)
        for connection, step in zip(self.connections, steps):
            x = connection(x, step)
        return x
