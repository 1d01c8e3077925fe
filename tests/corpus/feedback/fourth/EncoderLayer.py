# %% wrong: x_in_the_lambda | TRUE CAUSE: the lambda uses the x around it and not the y that the connection hands in: the same in post-norm, but in pre-norm the attention reads vectors that are not normalized
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
        x = self.sublayers[0](x, lambda y: self.self_attn(x, x, x, mask))  # blank: encoder_self_attention
        x = self.sublayers[1](x, self.feed_forward)  # blank: encoder_feed_forward
        return x

# %% wrong: mask_forgotten | TRUE CAUSE: the mask is not passed to the attention, so padding is attended to
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
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y))  # blank: encoder_self_attention
        x = self.sublayers[1](x, self.feed_forward)  # blank: encoder_feed_forward
        return x

# %% wrong: first_connection_twice | TRUE CAUSE: the feed-forward network uses sublayers[0] again, so both share one norm and sublayers[1] is never used
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
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, mask))  # blank: encoder_self_attention
        x = self.sublayers[0](x, self.feed_forward)  # blank: encoder_feed_forward
        return x

# %% wrong: bare_network | TRUE CAUSE: the feed-forward network is called without its connection: nothing is added and nothing normalized around it
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
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, mask))  # blank: encoder_self_attention
        x = self.feed_forward(x)  # blank: encoder_feed_forward
        return x

# %% wrong: only_the_query_normalized | TRUE CAUSE: key and value are the x from outside and only the query is y: in pre-norm keys and values are not normalized
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
        x = self.sublayers[0](x, lambda y: self.self_attn(y, x, x, mask))  # blank: encoder_self_attention
        x = self.sublayers[1](x, self.feed_forward)  # blank: encoder_feed_forward
        return x

# %% wrong: second_residual | TRUE CAUSE: adds x once more, although the connection does so already
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            [SublayerConnection(d_model, dropout, norm_first) for _ in range(2)]
        )

    def forward(self, x, mask=None):
        x = x + self.sublayers[0](x, lambda y: self.self_attn(y, y, y, mask))
        x = x + self.sublayers[1](x, self.feed_forward)
        return x

# %% wrong: mask_remembered | TRUE CAUSE: keeps the mask in the module and uses the last one given where mask is None, so the mask of an earlier call still hides
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(2)
        )
        self.mask = None

    def attend(self, y):
        return self.self_attn(y, y, y, self.mask)

    def forward(self, x, mask=None):
        if mask is not None:
            self.mask = mask
        x = self.sublayers[0](x, self.attend)
        x = self.sublayers[1](x, self.feed_forward)
        return x

# %% wrong: options_not_passed_on | TRUE CAUSE: two mistakes: norm_first does not reach the connections (always post-norm), and dropout does not reach the attention (always 0.1)
class EncoderLayer(nn.Module):
    """Attend within the source, then transform each position (Figure 1, left)."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(SublayerConnection(d_model, dropout) for _ in range(2))

    def forward(self, x, mask=None):
        attention, transformation = self.sublayers
        x = attention(x, lambda y: self.self_attn(y, y, y, mask))
        return transformation(x, self.feed_forward)
