# %% wrong: keys-from-the-raw-x | The lambda takes the query from y but key and value from the x around it. In pre-norm y is the normalized x and x is not, so the words that are looked at come unnormalized; all three must be y. (In post-norm y is x, so nothing shows.)
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(2)
        )
    def forward(self, x, mask=None):
        gathered = self.sublayers[0](x, lambda y: self.self_attn(y, x, x, mask))
        return self.sublayers[1](gathered, lambda y: self.feed_forward(y))

# %% wrong: annotated-one-connection-twice | The two connections are one object that stands twice in the list ([...] * 2), so both Add & Norms share one LayerNorm: one gamma and one beta, where each sublayer must have its own.
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.size = d_model
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayer = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first)] * 2)
    def forward(self, x, mask=None):
        x = self.sublayer[0](x, lambda x: self.self_attn(x, x, x, mask))
        return self.sublayer[1](x, self.feed_forward)

# %% wrong: fairseq-residual-after-the-norm | In pre-norm the residual is taken after the norm instead of before it, so the sum is norm(x) + sublayer(norm(x)), not x + sublayer(norm(x)): the stream that should carry x unchanged is normalized at each sublayer. Post-norm is right.
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.normalize_before = norm_first
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.self_attn_layer_norm = LayerNorm(d_model)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.final_layer_norm = LayerNorm(d_model)
        self.dropout_module = nn.Dropout(dropout)
    def forward(self, x, mask=None):
        if self.normalize_before:
            x = self.self_attn_layer_norm(x)
        residual = x
        x = self.self_attn(x, x, x, mask)
        x = residual + self.dropout_module(x)
        if not self.normalize_before:
            x = self.self_attn_layer_norm(x)
        if self.normalize_before:
            x = self.final_layer_norm(x)
        residual = x
        x = self.feed_forward(x)
        x = residual + self.dropout_module(x)
        if not self.normalize_before:
            x = self.final_layer_norm(x)
        return x

# %% wrong: lambda-made-in-init | The lambda around attention is made once in __init__ and holds the self of that moment. After copy.deepcopy the copy still calls the attention and the mask of the original, so it doesn't use its own weights; the lambda must be made in forward.
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(2)
        )
        self.mask = None
        self.look = lambda y: self.self_attn(y, y, y, self.mask)
    def forward(self, x, mask=None):
        self.mask = mask
        x = self.sublayers[0](x, self.look)
        x = self.sublayers[1](x, self.feed_forward)
        return x

# %% wrong: feed-forward-without-dropout-rate | dropout isn't passed on to the feed-forward network, so that part keeps its own default of 0.1, whatever rate the layer is given (0.0, for instance).
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads, dropout)
        self.ffn = PositionwiseFeedForward(d_model, d_ff)
        self.addnorm1 = SublayerConnection(d_model, dropout, norm_first)
        self.addnorm2 = SublayerConnection(d_model, dropout, norm_first)
    def forward(self, x, mask=None):
        Y = self.addnorm1(x, lambda X: self.attention(X, X, X, mask))
        return self.addnorm2(Y, self.ffn)

# %% right: zip-of-parts
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.sublayers = nn.ModuleList()
        for _ in ("attention", "feed-forward"):
            self.sublayers.append(SublayerConnection(d_model, dropout, norm_first))
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
    def forward(self, x, mask=None):
        def look(y):
            return self.self_attn(y, y, y, mask)
        for connection, part in zip(self.sublayers, (look, self.feed_forward)):
            x = connection(x, part)
        return x

# %% right: torch-blocks
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.residual1 = SublayerConnection(d_model, dropout, norm_first)
        self.residual2 = SublayerConnection(d_model, dropout, norm_first)
    def _sa_block(self, x, attn_mask):
        return self.self_attn(x, x, x, attn_mask)
    def _ff_block(self, x):
        return self.feed_forward(x)
    def forward(self, x, mask=None):
        x = self.residual1(x, lambda y: self._sa_block(y, mask))
        return self.residual2(x, self._ff_block)
