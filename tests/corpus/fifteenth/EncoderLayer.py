# %% wrong: asks-with-x | the lambda ignores its y and hands the outer x to attention: in pre-norm attention then reads the vectors that are not normalized.
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

# %% wrong: always-post-norm | written out as in hyunwoongko's repository, with the norm always after the sum: norm_first is taken and ignored.
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super(EncoderLayer, self).__init__()
        self.attention = MultiHeadAttention(d_model, num_heads, dropout)
        self.norm1 = LayerNorm(d_model)
        self.dropout1 = nn.Dropout(p=dropout)
        self.ffn = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.norm2 = LayerNorm(d_model)
        self.dropout2 = nn.Dropout(p=dropout)
    def forward(self, x, mask=None):
        _x = x
        x = self.attention(x, x, x, mask)
        x = self.dropout1(x)
        x = self.norm1(x + _x)
        _x = x
        x = self.ffn(x)
        x = self.dropout2(x)
        x = self.norm2(x + _x)
        return x

# %% wrong: mask-remembered | the mask is kept in the layer and only replaced by a new one: a call with mask=None hides what the mask of an earlier call hid.
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.ff = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.around_attn = SublayerConnection(d_model, dropout, norm_first)
        self.around_ff = SublayerConnection(d_model, dropout, norm_first)
        self.mask = None
    def look_around(self, y):
        return self.attn(y, y, y, self.mask)
    def forward(self, x, mask=None):
        if mask is not None:
            self.mask = mask
        x = self.around_attn(x, self.look_around)
        return self.around_ff(x, self.ff)

# %% wrong: one-connection-and-default-dropout | two mistakes: both sublayers go through one and the same connection, so they share one norm; and attention and feed-forward are built without the layer's dropout, so they always have the default of 0.1.
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff)
        self.connect = SublayerConnection(d_model, dropout, norm_first)
    def forward(self, x, mask=None):
        steps = [lambda y: self.self_attn(y, y, y, mask), self.feed_forward]
        for step in steps:
            x = self.connect(x, step)
        return x

# %% wrong: called-too-early | the feed-forward network is called by the layer and its result is handed to the connection, which expects a function and calls it: TypeError, a tensor is not callable.
class EncoderLayer(nn.Module):
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

# %% right: named-connections-and-a-def
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.attn_connection = SublayerConnection(d_model, dropout, norm_first)
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.ff_connection = SublayerConnection(d_model, dropout, norm_first)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
    def forward(self, x, mask=None):
        def gather(tokens):
            return self.self_attn(query=tokens, key=tokens, value=tokens, mask=mask)
        return self.ff_connection(self.attn_connection(x, gather), self.feed_forward)
