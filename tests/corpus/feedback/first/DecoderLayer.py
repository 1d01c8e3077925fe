# %% wrong: memory_asks | TRUE CAUSE: query and key are the wrong way round in cross-attention: the memory asks, and the target is key and value
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
        x = self.sublayers[1](x, lambda y: self.cross_attn(memory, y, y, src_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x


# %% wrong: masks_swapped | TRUE CAUSE: the two masks are swapped: self-attention gets src_mask and cross-attention tgt_mask
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


# %% wrong: two_connections | TRUE CAUSE: only two connections are made, as in the encoder layer, so the third one is an IndexError
class DecoderLayer(nn.Module):
    """Attend within the target, then to the memory, then transform (Figure 1, right)."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(2)
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x


# %% wrong: one_attention_for_both | TRUE CAUSE: the second sublayer uses self_attn again instead of cross_attn, whose weights are never used
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
        x = self.sublayers[0](x, lambda y: self.self_attn(y, key=y, value=y, mask=tgt_mask))
        x = self.sublayers[1](
            x, lambda y: self.self_attn(y, key=memory, value=memory, mask=src_mask)
        )
        x = self.sublayers[2](x, lambda y: self.feed_forward(y))
        return x


# %% wrong: one_connection_three_times | TRUE CAUSE: the list of connections repeats one and the same connection, so all three sublayers share one norm
class DecoderLayer(nn.Module):
    """Attend within the target, then to the memory, then transform (Figure 1, right)."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(3 * [SublayerConnection(d_model, dropout, norm_first)])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(*(y,) * 3, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, *(memory,) * 2, src_mask))
        x = self.sublayers[2](x, self.feed_forward.forward)
        return x


# %% wrong: connections_in_a_list | TRUE CAUSE: the connections are kept in a plain Python list, where PyTorch does not find them, so their norms are not trained and their dropout does not change with eval
class DecoderLayer(nn.Module):
    """Attend within the target, then to the memory, then transform (Figure 1, right)."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = [SublayerConnection(d_model, dropout, norm_first) for _ in range(3)]

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        first, second, third = self.sublayers
        x = first(x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = second(x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = third(x, self.feed_forward)
        return x


# %% wrong: memory_normalized_again | TRUE CAUSE: in pre-norm the memory is sent through the layer's norm as well, although it comes normalized from the encoder and is to be read as it is
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList()
        for _ in range(3):
            self.sublayers.append(SublayerConnection(d_model, dropout, norm_first))

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        norm = self.sublayers[1].norm

        def look_back(y):
            return self.self_attn(y, y, y, tgt_mask)

        def look_across(y):
            seen = norm(memory) if self.norm_first else memory
            return self.cross_attn(y, seen, seen, src_mask)

        x = self.sublayers[0](x, look_back)
        x = self.sublayers[1](x, look_across)
        return self.sublayers[2](x, self.feed_forward)


# %% wrong: memory_detached | TRUE CAUSE: two at once: the memory is detached, since no layer changes it, so no gradient reaches the encoder, and cross_attn is not given the dropout but keeps its own default
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        source = memory.detach()  # computed once, changed by none
        steps = [
            lambda y: self.self_attn(y, y, y, tgt_mask),
            lambda y: self.cross_attn(y, source, source, src_mask),
            self.feed_forward,
        ]
        for connection, step in zip(self.sublayers, steps):
            x = connection(x, step)
        return x


# %% wrong: always_post_and_leaky | TRUE CAUSE: two at once: norm_first is not handed to the connections, and self-attention gets no tgt_mask
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(SublayerConnection(d_model, dropout) for _ in range(3))

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        attend_self = self.sublayers[0]
        attend_source = self.sublayers[1]
        transform = self.sublayers[2]
        x = attend_self(x, lambda y: self.self_attn(y, y, y))
        x = attend_source(x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        return transform(x, self.feed_forward)
