# %% wrong: self_attention_for_memory | TRUE CAUSE: the second sublayer calls self.self_attn instead of self.cross_attn: both attentions share the same weights, and those of cross_attn are never used.
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


# %% wrong: norm_first_not_passed_on | TRUE CAUSE: norm_first is not passed on to the three connections, so the layer is always post-norm.
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([
            SublayerConnection(d_model, dropout),
            SublayerConnection(d_model, dropout),
            SublayerConnection(d_model, dropout),
        ])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        def look_at_target(y):
            return self.self_attn(y, y, y, tgt_mask)

        def look_at_source(y):
            return self.cross_attn(y, memory, memory, src_mask)

        x = self.sublayers[0](x, look_at_target)
        x = self.sublayers[1](x, look_at_source)
        x = self.sublayers[2](x, self.feed_forward)
        return x


# %% wrong: no_source_mask_and_connection_of_encoder | TRUE CAUSE: two mistakes: cross-attention gets no mask, so the source's padding is looked at, and the feed-forward network goes through sublayers[1] as in the encoder layer, so the third connection is never used.
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
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory))
        x = self.sublayers[1](x, self.feed_forward)
        return x
