# %% wrong: attention_ignores_y | The lambda attends to the x around it and not to the y that the connection hands it. In pre-norm the self-attention therefore reads the vectors that are not normalized (post-norm is right, there y is x).
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
# %% wrong: first_connection_twice | The feed-forward network goes through sublayers[0] again, so both sublayers share one norm, and the second connection (its gamma and beta) is never used.
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
        x = self.sublayers[0](x, self.feed_forward)
        return x
# %% wrong: own_remembers_the_mask | The mask is kept in self.mask and replaced only if a new one is given. A call with mask=None then still hides what the mask of an earlier call hid.
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads, dropout)
        self.network = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.around_attention = SublayerConnection(d_model, dropout, norm_first)
        self.around_network = SublayerConnection(d_model, dropout, norm_first)
        self.mask = None
    def look_around(self, y):
        return self.attention(y, y, y, self.mask)
    def forward(self, x, mask=None):
        if mask is not None:
            self.mask = mask
        gathered = self.around_attention(x, self.look_around)
        return self.around_network(gathered, self.network)
# %% wrong: own_lambda_made_in_init | The function that attends is a lambda made in __init__, which holds on to the self of that moment. A deep copy of the layer keeps this lambda, so it attends with the weights of the original layer and not with its own.
class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.ffn = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.wrap_attn = SublayerConnection(d_model, dropout, norm_first)
        self.wrap_ffn = SublayerConnection(d_model, dropout, norm_first)
        self.attend = lambda tokens, mask: self.attn(tokens, tokens, tokens, mask)
    def forward(self, x, mask=None):
        def first(tokens):
            return self.attend(tokens, mask)
        h = self.wrap_attn(x, first)
        h = self.wrap_ffn(h, self.ffn)
        return h
