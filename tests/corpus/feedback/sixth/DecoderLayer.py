# %% wrong: one_attention_for_both | TRUE CAUSE: the cross-attention blank calls self.self_attn, so both attentions use the same weights and cross_attn is never used
class DecoderLayer(nn.Module):
    """Attend within the target, then to the memory, then transform (Figure 1, right)."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )  # blank: connections

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))  # blank: masked_self_attention
        x = self.sublayers[1](x, lambda y: self.self_attn(y, memory, memory, src_mask))  # blank: cross_attention
        x = self.sublayers[2](x, self.feed_forward)  # blank: decoder_feed_forward
        return x

# %% wrong: two_connections_and_target_mask | TRUE CAUSE: two mistakes: only two connections, left from the encoder, so cross-attention and feed-forward share one norm; and the cross-attention gets the target's mask instead of the source's
class DecoderLayer(nn.Module):
    """Attend within the target, then to the memory, then transform (Figure 1, right)."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(2)
        )  # blank: connections

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))  # blank: masked_self_attention
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, tgt_mask))  # blank: cross_attention
        x = self.sublayers[1](x, self.feed_forward)  # blank: decoder_feed_forward
        return x

# %% wrong: source_first | TRUE CAUSE: the order is turned round: cross-attention to the memory comes before the masked self-attention
class DecoderLayer(nn.Module):
    """First look at the source, then at what has been written, then transform."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            [SublayerConnection(d_model, dropout, norm_first) for _ in range(3)]
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.sublayers[1](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x

