# %% wrong: only_the_query_is_y | TRUE CAUSE: only the query is what the connection hands over (y), key and value are the outer x, so with norm_first they are not normalized (the same in post-norm)
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
        x = self.sublayers[0](x, lambda y: self.self_attn(y, x, x, mask))
        x = self.sublayers[1](x, self.feed_forward)
        return x


# %% wrong: one_connection_and_no_norm_first | TRUE CAUSE: two mistakes: norm_first is not passed on to the connections, which are always post-norm, and both sublayers go through sublayers[0], so they share one norm and the second is never used
class EncoderLayer(nn.Module):

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            [SublayerConnection(d_model, dropout), SublayerConnection(d_model, dropout)]
        )

    def forward(self, x, mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, mask))
        x = self.sublayers[0](x, lambda y: self.feed_forward(y))
        return x


# %% wrong: lambda_made_in_init | TRUE CAUSE: the lambda is made once in __init__ and is bound to that object, so a deep copy of the layer attends with the original's weights (and the original's last mask)
class EncoderLayer(nn.Module):
    """Attend within the source, then transform each position (Figure 1, left)."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(2)
        )
        self.mask = None
        self.attend = lambda y: self.self_attn(y, y, y, self.mask)

    def forward(self, x, mask=None):
        self.mask = mask
        x = self.sublayers[0](x, self.attend)
        x = self.sublayers[1](x, self.feed_forward)
        return x
