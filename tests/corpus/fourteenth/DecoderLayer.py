# %% wrong: masks_swapped | The two masks are swapped: the self-attention gets src_mask and the cross-attention gets tgt_mask. The target then sees its own future, and the memory's future is hidden.
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, src_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, tgt_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x
# %% wrong: one_connection_three_times | The ModuleList holds the same SublayerConnection object three times (list times 3), so the three sublayers share one norm with one gamma and beta instead of having three.
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout, norm_first)] * 3)
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x
# %% wrong: own_one_attention_for_both | Only one MultiHeadAttention is created and used for the masked self-attention and for the cross-attention. A decoder layer needs two, each with weights of its own.
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads, dropout)
        self.network = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.add_norm_1 = SublayerConnection(d_model, dropout, norm_first)
        self.add_norm_2 = SublayerConnection(d_model, dropout, norm_first)
        self.add_norm_3 = SublayerConnection(d_model, dropout, norm_first)
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        def look_back(target):
            return self.attention(target, target, target, mask=tgt_mask)
        def look_at_source(target):
            return self.attention(target, memory, memory, mask=src_mask)
        x = self.add_norm_1(x, look_back)
        x = self.add_norm_2(x, look_at_source)
        return self.add_norm_3(x, self.network)
# %% wrong: own_normalizes_memory | In pre-norm the memory is sent through the norm of the cross-attention, too. The memory is to be read as it is, only the query is normalized.
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.masked = MultiHeadAttention(d_model, num_heads, dropout)
        self.crossed = MultiHeadAttention(d_model, num_heads, dropout)
        self.network = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.around = nn.ModuleList()
        for _ in range(3):
            self.around.append(SublayerConnection(d_model, dropout, norm_first))
        self.norm_first = norm_first
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        def cross(y):
            source = memory
            if self.norm_first:
                source = self.around[1].norm(source)
            return self.crossed(y, source, source, src_mask)
        x = self.around[0](x, lambda y: self.masked(y, y, y, tgt_mask))
        x = self.around[1](x, cross)
        x = self.around[2](x, self.network)
        return x
