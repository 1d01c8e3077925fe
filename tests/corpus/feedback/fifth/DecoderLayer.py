# %% wrong: connections_without_norm_first | TRUE CAUSE: norm_first is not passed on to the three connections, so the layer is always post-norm
class DecoderLayer(nn.Module):
    """Attend within the target, then to the memory, then transform (Figure 1, right)."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout) for _ in range(3)])  # blank: connections

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))  # blank: masked_self_attention
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))  # blank: cross_attention
        x = self.sublayers[2](x, self.feed_forward)  # blank: decoder_feed_forward
        return x


# %% wrong: memory_normalized_like_the_query | TRUE CAUSE: key and value of the cross-attention are put through the connection's norm first, although the memory is only read and comes normalized from the encoder
class DecoderLayer(nn.Module):
    """Attend within the target, then to the memory, then transform (Figure 1, right)."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            [SublayerConnection(d_model, dropout, norm_first) for _ in range(3)]
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        masked, cross, think = self.sublayers
        x = masked(x, lambda y: self.self_attn(y, y, y, tgt_mask))
        m = cross.norm(memory)  # queries and keys on the same scale
        x = cross(x, lambda y: self.cross_attn(y, m, m, src_mask))
        return think(x, self.feed_forward)


# %% wrong: memory_before_target | TRUE CAUSE: the order of the two attentions is turned round: the layer looks at the memory first and at the target afterwards
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


# %% wrong: self_attn_again_and_second_connection_again | TRUE CAUSE: two mistakes: the cross-attention calls self.self_attn (its weights) instead of self.cross_attn, and the feed-forward network goes through connection 1 again instead of connection 2
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
        x = self.sublayers[1](x, self.feed_forward)  # blank: decoder_feed_forward
        return x
