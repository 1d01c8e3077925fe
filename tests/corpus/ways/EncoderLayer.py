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
