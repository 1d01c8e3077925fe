# %% wrong: one_connection_three_times | TRUE CAUSE: `[SublayerConnection(...)] * 3` repeats one object, so the three sublayers share a single norm instead of having weights of their own
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

# %% wrong: self_attn_for_both | TRUE CAUSE: the second sublayer calls self.self_attn on the memory instead of self.cross_attn, so both attentions share weights and cross_attn is never used
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

# %% wrong: own_attend_helper | TRUE CAUSE: the helper gets x itself as what the self-attention looks at, so with norm_first=True the query is normalized but key and value are the x that is not normalized
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.add_norm = nn.ModuleList()
        for _ in range(3):
            self.add_norm.append(SublayerConnection(d_model, dropout, norm_first))

    @staticmethod
    def attend(connection, attention, x, looked_at, mask):
        return connection(x, lambda y: attention(y, looked_at, looked_at, mask))

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        first, second, third = self.add_norm
        x = self.attend(first, self.self_attn, x, x, tgt_mask)
        x = self.attend(second, self.cross_attn, x, memory, src_mask)
        return third(x, self.feed_forward)

# %% wrong: own_memory_only_read | TRUE CAUSE: memory.detach() takes "changed by none" for "gets no gradient", so the output is right but no gradient flows through the memory and the encoder is never trained
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        connection = lambda: SublayerConnection(d_model, dropout, norm_first)
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.c1, self.c2, self.c3 = connection(), connection(), connection()

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        source = memory.detach()  # only read, never changed

        def ask_target(y):
            return self.self_attn(y, y, y, tgt_mask)

        def ask_source(y):
            return self.cross_attn(y, source, source, src_mask)

        for connect, what in ((self.c1, ask_target), (self.c2, ask_source), (self.c3, self.feed_forward)):
            x = connect(x, what)
        return x
