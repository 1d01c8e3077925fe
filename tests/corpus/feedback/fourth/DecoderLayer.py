# %% wrong: memory_asks | TRUE CAUSE: query and key/value are exchanged in cross-attention: the memory asks and the target answers
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
        x = self.sublayers[1](x, lambda y: self.cross_attn(memory, y, y, src_mask))  # blank: cross_attention
        x = self.sublayers[2](x, self.feed_forward)  # blank: decoder_feed_forward
        return x

# %% wrong: masks_exchanged | TRUE CAUSE: the masks are exchanged: self-attention gets the source's, cross-attention the target's
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
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, src_mask))  # blank: masked_self_attention
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, tgt_mask))  # blank: cross_attention
        x = self.sublayers[2](x, self.feed_forward)  # blank: decoder_feed_forward
        return x

# %% wrong: value_from_target | TRUE CAUSE: cross-attention takes its keys from the memory but its values from the target, so nothing of the source comes through
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
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, y, src_mask))  # blank: cross_attention
        x = self.sublayers[2](x, self.feed_forward)  # blank: decoder_feed_forward
        return x

# %% wrong: plain_list | TRUE CAUSE: the connections stand in a plain Python list, so PyTorch does not find their parameters (not trained, saved or moved, and no eval mode)
class DecoderLayer(nn.Module):
    """Attend within the target, then to the memory, then transform (Figure 1, right)."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = [SublayerConnection(d_model, dropout, norm_first) for _ in range(3)]  # blank: connections

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))  # blank: masked_self_attention
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))  # blank: cross_attention
        x = self.sublayers[2](x, self.feed_forward)  # blank: decoder_feed_forward
        return x

# %% wrong: one_connection_three_times | TRUE CAUSE: the same connection object stands in the list three times, so the three norms share their weights
class DecoderLayer(nn.Module):
    """Attend within the target, then to the memory, then transform (Figure 1, right)."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first)] * 3)  # blank: connections

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))  # blank: masked_self_attention
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))  # blank: cross_attention
        x = self.sublayers[2](x, self.feed_forward)  # blank: decoder_feed_forward
        return x

# %% wrong: cross_attention_unmasked | TRUE CAUSE: cross-attention gets no mask, so padding of the source is attended to (the causal mask was thought to be the only one a decoder needs)
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
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory))  # blank: cross_attention
        x = self.sublayers[2](x, self.feed_forward)  # blank: decoder_feed_forward
        return x

# %% wrong: wrong_module | TRUE CAUSE: both attentions use self.self_attn: cross-attention has no weights of its own in use
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
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.self_attn(y, memory, memory, src_mask))
        x = self.sublayers[2](x, lambda y: self.feed_forward(y))
        return x

# %% wrong: two_connections | TRUE CAUSE: two mistakes: only two connections are made as in the encoder, so the feed-forward network shares that of cross-attention, and norm_first is not passed to them
class DecoderLayer(nn.Module):
    """Attend within the target, then to the memory, then transform (Figure 1, right)."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(SublayerConnection(d_model, dropout) for _ in range(2))  # blank: connections

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))  # blank: masked_self_attention
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))  # blank: cross_attention
        x = self.sublayers[1](x, self.feed_forward)  # blank: decoder_feed_forward
        return x

# %% wrong: cross_attention_first | TRUE CAUSE: the order is wrong: the memory is looked at before the target has looked at itself
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
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x
