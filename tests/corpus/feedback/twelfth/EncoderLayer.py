# %% wrong: keys_not_normalized | TRUE CAUSE: inside the lambda only the query is y while key and value are the outer x, so with norm_first keys and values come from the vectors that were not normalized
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
# %% wrong: added_twice | TRUE CAUSE: adds x once more around the second connection, which has added it already, so the residual counts double (and a post-norm layer no longer ends in a norm)
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
        x = x + self.sublayers[1](x, self.feed_forward)
        return x
# %% wrong: own_keeps_the_mask | TRUE CAUSE: the mask is stored on the module and overwritten only by a mask that is not None, so a call without a mask uses the mask of an earlier call
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        first = SublayerConnection(d_model, dropout, norm_first)
        second = SublayerConnection(d_model, dropout, norm_first)
        self.sublayers = nn.ModuleList([first, second])
        self.mask = None

    def look_around(self, tokens):
        return self.self_attn(tokens, tokens, tokens, self.mask)

    def forward(self, x, mask=None):
        if mask is not None:
            self.mask = mask
        for connection, work in zip(self.sublayers, (self.look_around, self.feed_forward)):
            x = connection(x, work)
        return x
# %% wrong: own_lambda_in_init | TRUE CAUSE: the lambda is made in __init__ and holds on to the original attention module, so a deepcopy of the layer still computes its attention with the original's weights
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        attention = MultiHeadAttention(d_model, num_heads, dropout)
        self.self_attn = attention
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList()
        for _ in range(2):
            self.sublayers.append(SublayerConnection(d_model, dropout, norm_first))
        self.attend_with = lambda mask: lambda y: attention(y, y, y, mask)

    def forward(self, x, mask=None):
        gather, think = self.sublayers
        return think(gather(x, self.attend_with(mask)), self.feed_forward)
