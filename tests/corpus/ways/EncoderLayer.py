# %% right: named_function
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout=dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout=dropout)
        self.sublayers = nn.ModuleList()
        for _ in range(2):
            self.sublayers.append(SublayerConnection(d_model, dropout, norm_first=norm_first))

    def forward(self, x, mask=None):
        def attend(y):
            return self.self_attn(query=y, key=y, value=y, mask=mask)

        return self.sublayers[1](self.sublayers[0](x, attend), self.feed_forward)

# %% right: pairs_in_a_loop
class EncoderLayer(nn.Module):
    """Attend within the source, then transform each position (Figure 1, left)."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        first = SublayerConnection(d_model, dropout, norm_first)
        second = SublayerConnection(d_model, dropout, norm_first)
        self.sublayers = nn.ModuleList([first, second])

    def forward(self, x, mask=None):
        steps = [lambda y: self.self_attn(y, y, y, mask), lambda y: self.feed_forward(y)]
        for connection, step in zip(self.sublayers, steps):
            x = connection(x, step)
        return x


# %% right: own_named_connections
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout=dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout=dropout)
        self.around_attention = SublayerConnection(d_model, dropout, norm_first)
        self.around_network = SublayerConnection(d_model, dropout, norm_first)

    def forward(self, x, mask=None):
        def look_around(tokens):
            return self.self_attn(query=tokens, key=tokens, value=tokens, mask=mask)

        gathered = self.around_attention(x, look_around)
        return self.around_network(gathered, self.feed_forward)

# %% right: own_add_and_norm_written_out
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        if self.norm_first:
            read = self.norm1(x)
            x = x + self.drop(self.self_attn(read, read, read, mask))
            return x + self.drop(self.feed_forward(self.norm2(x)))
        x = self.norm1(x + self.drop(self.self_attn(x, x, x, mask)))
        return self.norm2(x + self.drop(self.feed_forward(x)))
