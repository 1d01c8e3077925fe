# %% wrong: x-for-y | The lambda passes x from the code around it and not its own argument y. In post-norm the two are the same, but in pre-norm the connection calls it with the normalized x, which the attention here never sees: it attends to vectors that are not normalized.
class EncoderLayer(nn.Module):
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

# %% wrong: one-connection-twice | The feed-forward network goes through the connection of the attention again, so both share one norm, and the second connection is never used or trained; each sublayer needs an Add & Norm of its own.
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayer = nn.ModuleList(
            [SublayerConnection(d_model, dropout, norm_first) for _ in range(2)]
        )
        self.size = d_model
    def forward(self, x, mask=None):
        x = self.sublayer[0](x, lambda h: self.self_attn(h, h, h, mask))
        return self.sublayer[0](x, self.feed_forward)

# %% wrong: residual-from-the-normalized | In pre-norm the normalized x takes the place of x, so the residual connection adds the result to the normalized vector; it must add to x as it came, and only the sublayer sees the normalized one.
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.norm1 = LayerNorm(d_model)
        self.dropout1 = nn.Dropout(dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.norm2 = LayerNorm(d_model)
        self.dropout2 = nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, src, mask=None):
        x = src
        if self.norm_first:
            x = self.norm1(x)
            x = x + self.dropout1(self.self_attn(x, x, x, mask))
            x = self.norm2(x)
            x = x + self.dropout2(self.feed_forward(x))
        else:
            x = self.norm1(x + self.dropout1(self.self_attn(x, x, x, mask)))
            x = self.norm2(x + self.dropout2(self.feed_forward(x)))
        return x

# %% wrong: lambda-in-init | The lambda is made once, in __init__, so it holds the layer that it was made in; a copy by copy.deepcopy keeps this lambda and attends with the weights (and the mask) of the original, not with its own.
class EncoderLayer(nn.Module):
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
        return self.sublayers[1](x, self.feed_forward)

# %% wrong: mask-of-an-earlier-call | The layer keeps the last mask that it was given and uses it again when none comes; a mask of None has to hide nothing, whatever mask came with an earlier call.
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.around_attention = SublayerConnection(d_model, dropout, norm_first)
        self.around_network = SublayerConnection(d_model, dropout, norm_first)
        self.hidden = None
    def gather(self, y):
        return self.self_attn(y, y, y, self.hidden)
    def forward(self, x, mask=None):
        if mask is not None:
            self.hidden = mask
        gathered = self.around_attention(x, self.gather)
        return self.around_network(gathered, self.feed_forward)

# %% wrong: think-then-gather | The order is turned round: the feed-forward network works first, and the attention gathers after it. An encoder layer first gathers, and then works on what it has gathered (Figure 1).
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(2)
        )
    def forward(self, x, mask=None):
        def attention(y):
            return self.self_attn(y, y, y, mask)
        for connection, part in zip(self.sublayers, (self.feed_forward, attention), strict=True):
            x = connection(x, part)
        return x

# %% wrong: defaults-and-more-dropout | Two mistakes. norm_first is not passed on to the connections, so the layer is always post-norm. And the layer adds a dropout of its own on its result, while the parts apply it already.
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayer_1 = SublayerConnection(d_model, dropout)
        self.sublayer_2 = SublayerConnection(d_model, dropout)
        self.dropout = nn.Dropout(dropout)
    def forward(self, x, mask=None):
        x = self.sublayer_1(x, lambda y: self.self_attn(y, y, y, mask))
        x = self.sublayer_2(x, self.feed_forward)
        return self.dropout(x)

# %% right: two-named-connections
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads, dropout)
        self.add_norm_1 = SublayerConnection(d_model, dropout, norm_first)
        self.ffn = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.add_norm_2 = SublayerConnection(d_model, dropout, norm_first)
    def forward(self, x, mask=None):
        y = self.add_norm_1(x, lambda h: self.attention(h, h, h, mask))
        return self.add_norm_2(y, lambda h: self.ffn(h))
