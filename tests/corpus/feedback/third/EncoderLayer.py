# %% wrong: mask_not_passed | TRUE CAUSE: the mask is not passed on to the attention, so padding is looked at
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

# %% wrong: x_inside_the_lambda | TRUE CAUSE: the lambda uses x for key and value instead of the y that it is handed, so with pre-norm these are not normalized
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

# %% wrong: same_connection_twice | TRUE CAUSE: the feed-forward goes through sublayers[0] again, so both share one norm and the second connection is never used
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

# %% wrong: result_instead_of_function | TRUE CAUSE: the connection is given the network's result, a tensor, instead of the function that it is to call itself
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

# %% wrong: added_once_more | TRUE CAUSE: x is added to what the second connection returns, although the connection has added it already
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

# %% wrong: lambda_kept_on_self | TRUE CAUSE: the lambda is made in __init__ and kept on self, so a deep copy of the layer still calls the attention of the original
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(2)
        )
        self.attend = lambda y, mask: self.self_attn(y, y, y, mask)

    def forward(self, x, mask=None):
        attend = self.attend
        x = self.sublayers[0](x, lambda y: attend(y, mask))
        return self.sublayers[1](x, self.feed_forward)

# %% wrong: mask_remembered | TRUE CAUSE: the mask is kept on self and only replaced when a new one comes, so a call with mask=None still hides what the last call's mask hid
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

# %% wrong: dropout_twice | TRUE CAUSE: the layer drops out the attention's result itself, although the connection does so already: dropout is applied twice
class EncoderLayer(nn.Module):
    """Attend within the source, then transform each position (Figure 1, left)."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.dropout = nn.Dropout(dropout)
        self.sublayers = nn.ModuleList(
            [SublayerConnection(d_model, dropout, norm_first) for _ in range(2)]
        )

    def forward(self, x, mask=None):
        x = self.sublayers[0](x, lambda y: self.dropout(self.self_attn(y, y, y, mask)))
        x = self.sublayers[1](x, lambda y: self.dropout(self.feed_forward(y)))
        return x

# %% wrong: norm_first_and_dropout_lost | TRUE CAUSE: two mistakes: norm_first is not passed to the connections (always post-norm), and dropout is not passed to the attention and the network, which keep their default
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff)
        self.sublayers = nn.ModuleList(SublayerConnection(d_model, dropout) for _ in range(2))

    def forward(self, x, mask=None):
        attention, network = self.sublayers
        x = attention(x, lambda y: self.self_attn(y, y, y, mask))
        return network(x, self.feed_forward)
