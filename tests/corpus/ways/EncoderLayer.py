# %% right: fourteenth_own_named_connections
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.connections = nn.ModuleDict()
        for name in ("gather", "think"):
            self.connections[name] = SublayerConnection(
                d_model, dropout=dropout, norm_first=norm_first
            )
        self.gather = MultiHeadAttention(d_model, num_heads, dropout=dropout)
        self.think = PositionwiseFeedForward(d_model, d_ff, dropout=dropout)
    def forward(self, x, mask=None):
        def gather(tokens):
            return self.gather(tokens, tokens, tokens, mask)
        steps = {"gather": gather, "think": self.think}
        for name, step in steps.items():
            x = self.connections[name](x, step)
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
# %% right: field_norms_and_dropouts_by_number
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.ff = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.norm1, self.norm2 = nn.LayerNorm(d_model, eps=1e-6), nn.LayerNorm(d_model, eps=1e-6)
        self.dropout1, self.dropout2 = nn.Dropout(dropout), nn.Dropout(dropout)
        self.norm_first = norm_first
    def forward(self, x, mask=None):
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), mask)
            x = x + self._ff_block(self.norm2(x))
        else:
            x = self.norm1(x + self._sa_block(x, mask))
            x = self.norm2(x + self._ff_block(x))
        return x
    def _sa_block(self, x, mask):
        return self.dropout1(self.self_attn(x, x, x, mask))
    def _ff_block(self, x):
        return self.dropout2(self.ff(x))
