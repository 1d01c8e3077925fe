# %% wrong: lambda_ignores_y | TRUE CAUSE: the lambda attends over x instead of y, so in pre-norm attention reads what has not been normalized
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
        x = self.sublayers[1](x, self.feed_forward)
        return x

# %% wrong: residual_twice | TRUE CAUSE: x is added once more around the second connection, which adds it already, so the residual counts twice and the sum is not normalized
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
        x = x + self.sublayers[1](x, self.feed_forward)  # blank: encoder_feed_forward
        return x

# %% wrong: norm_first_in_the_place_of_dropout | TRUE CAUSE: SublayerConnection(d_model, norm_first): norm_first lands in the place of dropout, so the connections are always post-norm and have a dropout of 0 or 1
class EncoderLayer(nn.Module):
    """Attend within the source, then transform each position (Figure 1, left)."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            [SublayerConnection(d_model, norm_first), SublayerConnection(d_model, norm_first)]
        )

    def forward(self, x, mask=None):
        attend, think = self.sublayers
        x = attend(x, lambda y: self.self_attn(y, y, y, mask))
        return think(x, self.feed_forward)

