# %% wrong: lambda-ignores-y | The lambda attends over x, the layer's input, and not over the y that the connection hands to it: the student thinks that both are the same. In post-norm they are; in pre-norm y is the normalized x, and attention reads the vectors without the norm.
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

# %% wrong: mask-remembered | The layer keeps the last mask it was given as an attribute and uses it when none comes: the student thinks that a mask of None means "as before". The fine print: a mask of None hides nothing, whatever mask came with an earlier call.
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            [SublayerConnection(d_model, dropout, norm_first) for _ in range(2)]
        )
        self.mask = None
    def attend_to_self(self, y):
        return self.self_attn(y, y, y, self.mask)
    def forward(self, x, mask=None):
        if mask is not None:
            self.mask = mask
        around_attention, around_network = self.sublayers
        x = around_attention(x, self.attend_to_self)
        return around_network(x, self.feed_forward)

# %% wrong: lambdas-made-in-init | The lambdas are made once in __init__ and keep the parts of the object in which they were made. A copy.deepcopy of the layer does not copy functions, so the copy attends and computes with the original's weights. The fine print: make the lambda in forward, a copy uses its own weights.
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        attn = self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        feed = self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(2)
        )
        self.steps = (
            lambda mask: (lambda y: attn(y, y, y, mask)),
            lambda mask: (lambda y: feed(y)),
        )
    def forward(self, x, mask=None):
        for connection, step in zip(self.sublayers, self.steps):
            x = connection(x, step(mask))
        return x

# %% wrong: nanogpt-residual-twice | The functions that are handed to the connections add their input by themselves, as in nanoGPT's x = x + attn(x), although the connection adds x as well ("Around each of the two stands Add & Norm, which adds the result to its input"). So the residual is added twice (in pre-norm, the normalized x on top).
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(2)
        )
    def forward(self, x, mask=None):
        x = self.sublayers[0](x, lambda y: y + self.self_attn(y, y, y, mask))
        x = self.sublayers[1](x, lambda y: y + self.feed_forward(y))
        return x

# %% wrong: torch-dropout-in-the-layer | As in torch's _sa_block and _ff_block, the layer has dropouts of its own around attention and feed-forward. The connection drops the sublayer's output already, so it is dropped twice in training. The fine print: the parts apply dropout, so the layer adds no dropout itself.
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(2)
        )
        self.dropout1 = nn.Dropout(dropout)
        self.dropout2 = nn.Dropout(dropout)
    def forward(self, x, mask=None):
        def _sa_block(y):
            return self.dropout1(self.self_attn(y, y, y, mask))
        def _ff_block(y):
            return self.dropout2(self.feed_forward(y))
        x = self.sublayers[0](x, _sa_block)
        return self.sublayers[1](x, _ff_block)

# %% wrong: clones-without-copies | The two connections are one object that stands twice in the ModuleList: the clones helper, in the manner of The Annotated Transformer, repeats its module instead of making new ones. So both sublayers share one norm, one gamma and one beta ("a layer may stand in two places and still be a single layer").
def clones(module, count):
    return nn.ModuleList([module for _ in range(count)])
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = clones(SublayerConnection(d_model, dropout, norm_first), 2)
        self.size = d_model
    def forward(self, x, mask=None):
        x = self.sublayers[0](x, lambda x: self.self_attn(x, x, x, mask))
        return self.sublayers[1](x, self.feed_forward)

# %% right: nested-functions-and-keywords
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        options = {"dropout": dropout, "norm_first": norm_first}
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout=dropout)
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout=dropout)
        self.sublayers = nn.ModuleList()
        while len(self.sublayers) < 2:
            self.sublayers.append(SublayerConnection(d_model, **options))
    def forward(self, x, mask=None):
        def look_around(normed):
            return self.self_attn(normed, normed, normed, mask)
        def think(normed):
            return self.feed_forward(normed)
        for connection, sublayer in zip(self.sublayers, (look_around, think)):
            x = connection(x, sublayer)
        return x

# %% right: annotated-names
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
        self.size = d_model
    def forward(self, x, mask=None):
        attended = self.sublayers[0](x, lambda x: self.self_attn(x, x, x, mask=mask))
        return self.sublayers[1](attended, lambda x: self.feed_forward(x))
