# %% wrong: steps-made-in-init | The functions for the connections are made once, in __init__, and hold on to the self of that moment. A copy (copy.deepcopy) doesn't copy functions, so its steps still call the attention and the network, and read the mask, of the original layer; the fine print asks to make the lambda in forward for this reason.
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(2)
        )
        self.mask = None
        self.steps = [
            lambda y: self.self_attn(y, y, y, self.mask),
            lambda y: self.feed_forward(y),
        ]
    def forward(self, x, mask=None):
        self.mask = mask
        for connection, step in zip(self.sublayers, self.steps, strict=True):
            x = connection(x, step)
        return x

# %% wrong: mask-kept-from-earlier | The mask is stored in the layer and only replaced when a new one is given, so a call with mask=None hides what an earlier call's mask hid. A mask of None hides nothing, whatever mask came before.
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.around_attention = SublayerConnection(d_model, dropout, norm_first)
        self.around_network = SublayerConnection(d_model, dropout, norm_first)
        self.mask = None
    def look(self, y):
        return self.self_attn(y, y, y, self.mask)
    def forward(self, x, mask=None):
        if mask is not None:
            self.mask = mask
        gathered = self.around_attention(x, self.look)
        return self.around_network(gathered, self.feed_forward)

# %% wrong: keys-from-outer-x | Only the query is the y that the connection hands over; key and value are the x of forward. In post-norm both are the same, but in pre-norm y is the normalized x, so queries come from normalized vectors and keys and values from those that are not.
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(2)
        )
    def forward(self, x, mask=None):
        def self_attention(y):
            return self.self_attn(query=y, key=x, value=x, mask=mask)
        attended = self.sublayers[0](x, self_attention)
        return self.sublayers[1](attended, self.feed_forward)

# %% wrong: torch-style-second-residual | Written out with norm1 and norm2 as in torch.nn's layer. In post-norm the feed-forward network's result is added to x, the input of the layer, and not to h, what the attention sublayer has returned, so the second residual skips the first sublayer (in pre-norm too: x plus, not h plus).
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.norm1 = LayerNorm(d_model)
        self.norm2 = LayerNorm(d_model)
        self.dropout1 = nn.Dropout(dropout)
        self.dropout2 = nn.Dropout(dropout)
        self.norm_first = norm_first
    def _sa_block(self, x, mask):
        return self.dropout1(self.self_attn(x, x, x, mask))
    def _ff_block(self, x):
        return self.dropout2(self.feed_forward(x))
    def forward(self, x, mask=None):
        if self.norm_first:
            h = x + self._sa_block(self.norm1(x), mask)
            return x + self._ff_block(self.norm2(h))
        h = self.norm1(x + self._sa_block(x, mask))
        return self.norm2(x + self._ff_block(h))

# %% wrong: annotated-norm-first-forgotten | norm_first is taken by __init__ but not passed on to the connections (The Annotated Transformer's have no such argument), so they are post-norm always, also where pre-norm was asked for.
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayer = nn.ModuleList([SublayerConnection(d_model, dropout) for _ in range(2)])
        self.size = d_model
    def forward(self, x, mask=None):
        x = self.sublayer[0](x, lambda x: self.self_attn(x, x, x, mask))
        return self.sublayer[1](x, self.feed_forward)

# %% right: named-connections
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        parts = {
            "gather": MultiHeadAttention(d_model, num_heads, dropout),
            "think": PositionwiseFeedForward(d_model, d_ff, dropout),
        }
        self.parts = nn.ModuleDict(parts)
        self.around = nn.ModuleDict(
            {name: SublayerConnection(d_model, dropout, norm_first) for name in parts}
        )
    def forward(self, x, mask=None):
        def gather(y):
            return self.parts["gather"](query=y, key=y, value=y, mask=mask)
        for name, step in (("gather", gather), ("think", self.parts["think"])):
            x = self.around[name](x, step)
        return x

# %% right: bound-method-with-mask
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout=dropout)
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout=dropout)
        first, second = (SublayerConnection(d_model, dropout, norm_first) for _ in range(2))
        self.sublayers = nn.ModuleList([first, second])
    def attention_block(self, mask):
        return lambda y: self.self_attn(*[y] * 3, mask)
    def forward(self, x, mask=None):
        first, second = self.sublayers
        return second(first(x, self.attention_block(mask)), self.feed_forward)
