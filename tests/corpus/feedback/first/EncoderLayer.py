# %% wrong: x_not_y | TRUE CAUSE: the lambda uses x instead of its argument y, so in pre-norm attention reads the vectors before they are normalized
class EncoderLayer(nn.Module):
    """Attend within the source, then transform each position (Figure 1, left)."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(2)
        )

    def forward(self, x, mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(x, x, x, mask))
        x = self.sublayers[1](x, self.feed_forward)
        return x


# %% wrong: no_mask | TRUE CAUSE: the mask is not handed on to the attention
class EncoderLayer(nn.Module):
    """Attend within the source, then transform each position (Figure 1, left)."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(2)
        )

    def forward(self, x, mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y))
        x = self.sublayers[1](x, self.feed_forward)
        return x


# %% wrong: result_not_function | TRUE CAUSE: the connection is given the result of the network, a tensor, instead of the network itself, and crashes when it calls it
class EncoderLayer(nn.Module):
    """Attend within the source, then transform each position (Figure 1, left)."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(2)
        )

    def forward(self, x, mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, mask))
        x = self.sublayers[1](x, self.feed_forward(x))
        return x


# %% wrong: first_connection_twice | TRUE CAUSE: both sublayers go through connection 0, so they share one norm and connection 1 is never used
class EncoderLayer(nn.Module):
    """Attend within the source, then transform each position (Figure 1, left)."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(2)
        )

    def forward(self, x, mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(query=y, key=y, value=y, mask=mask))
        x = self.sublayers[0](x, lambda y: self.feed_forward(y))
        return x


# %% wrong: added_twice | TRUE CAUSE: the lambda adds y to what attention says, although the connection adds x already
class EncoderLayer(nn.Module):
    """Attend within the source, then transform each position (Figure 1, left)."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(2)
        )

    def forward(self, x, mask=None):
        x = self.sublayers[0](x, lambda y: y + self.self_attn(*[y] * 3, mask))
        x = self.sublayers[-1](x, self.feed_forward.forward)
        return x


# %% wrong: dropped_twice | TRUE CAUSE: the result of the feed-forward network is dropped once more in the lambda, although the connection does that
class EncoderLayer(nn.Module):
    """Attend within the source, then transform each position (Figure 1, left)."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(2)
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attend, transform = self.sublayers
        x = attend(x, lambda y: self.self_attn(y, y, y, mask=mask))
        x = transform(x, lambda y: self.dropout(self.feed_forward(y)))
        return x


# %% wrong: functions_kept | TRUE CAUSE: the lambdas are made once in __init__ and hold the original self, so a deep copy of the layer still calls the original's attention and network
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            [
                SublayerConnection(d_model, dropout, norm_first),
                SublayerConnection(d_model, dropout, norm_first),
            ]
        )
        self.steps = [
            lambda y, mask: self.self_attn(y, y, y, mask),
            lambda y, mask: self.feed_forward(y),
        ]

    def forward(self, x, mask=None):
        for connection, step in zip(self.sublayers, self.steps):
            x = connection(x, lambda y: step(y, mask))
        return x


# %% wrong: mask_remembered | TRUE CAUSE: two at once: the last mask is kept in the layer and used again when a later call gives None, and norm_first is hard-coded as False in the connections
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first=False) for _ in range(2)
        )
        self.mask = None

    def attend(self, y):
        return self.self_attn(y, y, y, self.mask)

    def forward(self, x, mask=None):
        if mask is not None:
            self.mask = mask
        x = self.sublayers[0](x, self.attend)
        return self.sublayers[1](x, self.feed_forward)


# %% wrong: network_first_default_dropout | TRUE CAUSE: two at once: the feed-forward network comes before the attention, and dropout is not handed on to attention and network, which keep their own default
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff)
        connections = [SublayerConnection(d_model, dropout, norm_first) for _ in "ab"]
        self.sublayers = nn.ModuleList(connections)

    def forward(self, x, mask=None):
        def look(y):
            return self.self_attn(y, y, y, mask)

        for connection, part in zip(self.sublayers, (self.feed_forward, look)):
            x = connection(x, part)
        return x
