# %% wrong: lambda_ignores_y | TRUE CAUSE: the lambda uses the x around it instead of its argument y, so with norm_first=True attention gets the vectors that are not normalized
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

# %% wrong: first_connection_twice | TRUE CAUSE: the feed-forward network goes through self.sublayers[0] again, so both sublayers share one norm and the second connection's weights are never used or trained
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
        x = self.sublayers[0](x, self.feed_forward)
        return x

# %% wrong: own_mask_attribute | TRUE CAUSE: forward stores the mask in self.mask only when it is not None, so a call without a mask still uses the mask of an earlier call
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.around_attention = SublayerConnection(d_model, dropout, norm_first)
        self.around_network = SublayerConnection(d_model, dropout, norm_first)
        self.mask = None

    def look_around(self, y):
        return self.self_attn(y, y, y, self.mask)

    def forward(self, x, mask=None):
        if mask is not None:
            self.mask = mask
        gathered = self.around_attention(x, self.look_around)
        return self.around_network(gathered, self.feed_forward)

# %% wrong: own_extra_dropout | TRUE CAUSE: the layer has a dropout of its own that it applies to the results of attention and network before the connections drop them again, so in training mode twice as much is dropped as asked for
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.connect1 = SublayerConnection(d_model, dropout, norm_first)
        self.connect2 = SublayerConnection(d_model, dropout, norm_first)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        def attend(y):
            return self.drop(self.self_attn(y, y, y, mask))

        def think(y):
            return self.drop(self.feed_forward(y))

        return self.connect2(self.connect1(x, attend), think)
