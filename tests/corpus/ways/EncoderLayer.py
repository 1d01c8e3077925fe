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


# %% right: tenth_own_two_named_connections
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.around_attention = SublayerConnection(d_model, dropout, norm_first)
        self.around_network = SublayerConnection(d_model, dropout, norm_first)

    def forward(self, x, mask=None):
        def gather(y):
            return self.self_attn(y, y, y, mask)

        return self.around_network(self.around_attention(x, gather), self.feed_forward)

# %% right: tenth_own_dict_of_steps
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.wraps = nn.ModuleDict()
        for name in ("gather", "think"):
            self.wraps[name] = SublayerConnection(d_model, dropout, norm_first)

    def forward(self, x, mask=None):
        steps = {"gather": lambda y: self.self_attn(y, y, y, mask), "think": self.feed_forward}
        for name, step in steps.items():
            x = self.wraps[name](x, step)
        return x


# %% right: eleventh_own_named_connections
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.gather = SublayerConnection(d_model, dropout, norm_first)
        self.think = SublayerConnection(d_model, dropout, norm_first)

    def forward(self, x, mask=None):
        def look_around(tokens):
            return self.self_attn(tokens, tokens, tokens, mask)

        return self.think(self.gather(x, look_around), self.feed_forward)

# %% right: eleventh_own_zip_of_steps
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.connections = nn.ModuleList()
        while len(self.connections) < 2:
            self.connections.append(SublayerConnection(d_model, dropout, norm_first))

    def forward(self, x, mask=None):
        steps = [lambda y: self.self_attn(*[y] * 3, mask), lambda y: self.feed_forward(y)]
        for connection, step in zip(self.connections, steps, strict=True):
            x = connection(x, step)
        return x


# %% right: twelfth_own_inner_function
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList()
        while len(self.sublayers) < 2:
            self.sublayers.append(SublayerConnection(d_model, dropout, norm_first))

    def forward(self, x, mask=None):
        def gather(tokens):
            return self.self_attn(tokens, tokens, tokens, mask)

        for connection, work in zip(self.sublayers, (gather, self.feed_forward)):
            x = connection(x, work)
        return x
# %% right: twelfth_own_partial
from functools import partial


class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        make = partial(SublayerConnection, d_model, dropout, norm_first)
        self.sublayers = nn.ModuleList([make(), make()])

    def look(self, hide, states):
        return self.self_attn(*[states] * 3, hide)

    def forward(self, x, mask=None):
        first, second = self.sublayers
        return second(first(x, partial(self.look, mask)), self.feed_forward)
