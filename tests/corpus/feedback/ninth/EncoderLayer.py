# %% wrong: keys_and_values_from_x | TRUE CAUSE: in the lambda, key and value are the outer `x` and only the query is `y`, so with norm_first the attention asks with normalized vectors but looks at vectors that are not normalized.
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

# %% wrong: first_connection_twice | TRUE CAUSE: the feed-forward network goes through `self.sublayers[0]` again, so both sublayers share one norm and the second connection's norm is never used and never gets a gradient.
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
        x = self.sublayers[0](x, lambda y: self.feed_forward(y))
        return x

# %% wrong: own_residual_from_normed | TRUE CAUSE: in pre-norm `x` itself is overwritten by its normalized form before the sublayer runs, so the residual connection adds the update to norm(x) and not to x.
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.norm1 = LayerNorm(d_model)
        self.norm2 = LayerNorm(d_model)
        self.drop1 = nn.Dropout(dropout)
        self.drop2 = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, mask=None):
        if self.norm_first:
            x = self.norm1(x)
            x = x + self.drop1(self.self_attn(x, x, x, mask))
            x = self.norm2(x)
            x = x + self.drop2(self.feed_forward(x))
        else:
            x = self.norm1(x + self.drop1(self.self_attn(x, x, x, mask)))
            x = self.norm2(x + self.drop2(self.feed_forward(x)))
        return x

# %% wrong: own_mask_remembered | TRUE CAUSE: the mask is kept in `self.mask` and replaced only if a new one is given, so a call with mask=None still uses the mask of an earlier call.
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.mask = None
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.around_attention = SublayerConnection(d_model, dropout, norm_first)
        self.around_network = SublayerConnection(d_model, dropout, norm_first)

    def look(self, tokens):
        return self.self_attn(tokens, tokens, tokens, self.mask)

    def forward(self, x, mask=None):
        if mask is not None:
            self.mask = mask
        gathered = self.around_attention(x, self.look)
        return self.around_network(gathered, self.feed_forward)
