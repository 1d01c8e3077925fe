# %% wrong: masks_swapped | TRUE CAUSE: The two masks are swapped: self-attention gets src_mask, and cross-attention gets tgt_mask.
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
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, src_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, tgt_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x

# %% wrong: cross_from_x | TRUE CAUSE: In cross-attention the key is the memory but the value is the target itself (y), so nothing of the memory flows into the result and unequal lengths crash.
class DecoderLayer(nn.Module):
    """Attend within the target, then to the memory, then transform (Figure 1, right)."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout=dropout, norm_first=norm_first) for _ in "abc"])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(*(3 * [y]), mask=tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(query=y, key=memory, value=y, mask=src_mask))
        x = self.sublayers[2](x, lambda y: self.feed_forward(y))
        return x

# %% wrong: functions_made_in_init | TRUE CAUSE: The functions for the sublayers are lambdas made in __init__ that hold on to self, so a deepcopy of the layer goes on using the attentions of the original.
class DecoderLayer(nn.Module):
    """Attend within the target, then to the memory, then transform (Figure 1, right)."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first) for _ in range(3)])
        self.look_back = lambda y, mask: self.self_attn(y, y, y, mask)
        self.look_at_source = lambda y, memory, mask: self.cross_attn(y, memory, memory, mask)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.look_back(y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.look_at_source(y, memory, src_mask))
        return self.sublayers[2](x, self.feed_forward)

# %% wrong: memory_once | TRUE CAUSE: cross_attn is called with the memory only once, so src_mask arrives as the value and no mask is given (crash).
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            [SublayerConnection(d_model, dropout, norm_first) for i in range(3)]
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        first, second, third = self.sublayers

        def ask_target(y):
            return self.self_attn(y, y, y, tgt_mask)

        def ask_memory(y):
            return self.cross_attn(y, memory, src_mask)

        return third(second(first(x, ask_target), ask_memory), self.feed_forward)
