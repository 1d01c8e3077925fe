# %% right: tenth_own_loop_over_pairs
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn, self.cross_attn = [
            MultiHeadAttention(d_model, num_heads, dropout) for _ in range(2)
        ]
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.add_and_norm = nn.ModuleList()
        while len(self.add_and_norm) < 3:
            self.add_and_norm.append(SublayerConnection(d_model, dropout, norm_first))
    @staticmethod
    def _asker(attention, mask, other=None):
        def ask(y):
            answers = y if other is None else other
            return attention(y, answers, answers, mask)
        return ask
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        todo = [
            self._asker(self.self_attn, tgt_mask),
            self._asker(self.cross_attn, src_mask, memory),
            self.feed_forward,
        ]
        for wrap, sublayer in zip(self.add_and_norm, todo):
            x = wrap(x, sublayer)
        return x
# %% right: own_helper_with_norms
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.p, self.pre = dropout, norm_first
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.norms = nn.ModuleList([LayerNorm(d_model), LayerNorm(d_model), LayerNorm(d_model)])
    def add_and_norm(self, x, norm, f, *others):
        update = f(norm(x) if self.pre else x, *others)
        total = x + F.dropout(update, self.p, training=self.training)
        return total if self.pre else norm(total)
    def look_within(self, y, mask):
        return self.self_attn(y, y, y, mask)
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        n1, n2, n3 = self.norms
        x = self.add_and_norm(x, n1, self.look_within, tgt_mask)
        x = self.add_and_norm(x, n2, self.cross_attn, memory, memory, src_mask)
        return self.add_and_norm(x, n3, self.feed_forward)
# %% right: field_residuals_kept_by_name
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads, dropout)
        self.enc_dec_attention = MultiHeadAttention(d_model, num_heads, dropout)
        self.ffn = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.norms = nn.ModuleList([LayerNorm(d_model) for _ in range(3)])
        self.drops = nn.ModuleList([nn.Dropout(dropout) for _ in range(3)])
        self.norm_first = norm_first
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        parts = (
            lambda y: self.self_attention(y, y, y, tgt_mask),
            lambda y: self.enc_dec_attention(y, memory, memory, src_mask),
            self.ffn,
        )
        for part, norm, drop in zip(parts, self.norms, self.drops):
            _x = x
            x = drop(part(norm(x) if self.norm_first else x)) + _x
            if not self.norm_first:
                x = norm(x)
        return x
