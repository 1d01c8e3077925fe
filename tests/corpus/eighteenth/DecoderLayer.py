# %% wrong: fairseq-cross-without-mask | Cross-attention gets no mask: src_mask is never used, so the padding of the source can be seen. Cross-attention hides no future, but it does hide the source's padding.
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.encoder_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.ffn = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            [SublayerConnection(d_model, dropout, norm_first) for _ in range(3)]
        )
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(query=y, key=y, value=y, mask=tgt_mask))
        x = self.sublayers[1](x, lambda y: self.encoder_attn(query=y, key=memory, value=memory))
        x = self.sublayers[2](x, self.ffn)
        return x

# %% wrong: memory-normalized | In pre-norm the memory is sent through the connection's norm like the query. The connection normalizes what the decoder's vectors bring, x; the memory leaves the encoder finished (its stack has a last norm) and no layer of the decoder changes it.
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList(
            SublayerConnection(d_model, dropout, norm_first) for _ in range(3)
        )
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        looking, asking, thinking = self.sublayers
        context = asking.norm(memory) if self.norm_first else memory
        x = looking(x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = asking(x, lambda y: self.cross_attn(y, context, context, src_mask))
        return thinking(x, lambda y: self.feed_forward(y))

# %% wrong: one-connection-thrice | The list holds one SublayerConnection three times, a single object, so all three sublayers share one norm with its gamma and beta. Three sublayers need three connections, each made by a call of its own.
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        connection = SublayerConnection(d_model, dropout, norm_first)
        self.sublayers = nn.ModuleList([connection for _ in range(3)])
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        x = self.sublayers[2](x, self.feed_forward)
        return x

# %% wrong: late-binding-in-a-loop | The two functions are made in a loop and read attention, context and mask only when they are called, after the loop has ended. So both use the values of its last round: the first sublayer is the cross-attention too, and self-attention is never run.
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
        steps = []
        for attention, context, mask in (
            (self.self_attn, None, tgt_mask),
            (self.cross_attn, memory, src_mask),
        ):
            def look(y):
                seen = y if context is None else context
                return attention(y, seen, seen, mask)
            steps.append(look)
        steps.append(self.feed_forward)
        for connection, step in zip(self.sublayers, steps, strict=True):
            x = connection(x, step)
        return x

# %% wrong: torch-style-own-dropout | Two mistakes. The layer drops the result of each sublayer itself (dropout1 to dropout3, as in torch.nn's layer), although the SublayerConnection does so already, so everything is dropped twice. And norm_first is not passed on to the connections, which are therefore always post-norm.
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.multihead_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.sublayers = nn.ModuleList([SublayerConnection(d_model, dropout) for _ in range(3)])
        self.dropout1 = nn.Dropout(dropout)
        self.dropout2 = nn.Dropout(dropout)
        self.dropout3 = nn.Dropout(dropout)
    def _sa_block(self, x, mask):
        return self.dropout1(self.self_attn(x, x, x, mask))
    def _mha_block(self, x, mem, mask):
        return self.dropout2(self.multihead_attn(x, mem, mem, mask))
    def _ff_block(self, x):
        return self.dropout3(self.feed_forward(x))
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self._sa_block(y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self._mha_block(y, memory, src_mask))
        x = self.sublayers[2](x, self._ff_block)
        return x

# %% wrong: nanogpt-causal-built-in | The layer makes a causal mask of its own, as a GPT block does, and hides the future even if tgt_mask is None. The layer hides what the mask that it is given says, and a mask of None hides nothing.
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.mlp = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.res_1 = SublayerConnection(d_model, dropout, norm_first)
        self.res_2 = SublayerConnection(d_model, dropout, norm_first)
        self.res_3 = SublayerConnection(d_model, dropout, norm_first)
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        T = x.size(1)
        bias = torch.ones(T, T, dtype=torch.bool, device=x.device).tril().view(1, 1, T, T)
        seen = bias if tgt_mask is None else tgt_mask & bias
        x = self.res_1(x, lambda y: self.self_attn(y, y, y, seen))
        x = self.res_2(x, lambda y: self.cross_attn(y, memory, memory, src_mask))
        return self.res_3(x, self.mlp)

# %% right: annotated-src-attn
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.sublayer = nn.ModuleList()
        while len(self.sublayer) < 3:
            self.sublayer.append(SublayerConnection(d_model, dropout, norm_first))
        self.self_attn, self.src_attn = (
            MultiHeadAttention(d_model, num_heads, dropout) for _ in range(2)
        )
        self.feed_forward = PositionwiseFeedForward(d_model, d_ff, dropout)
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        m = memory
        steps = (
            lambda x: self.self_attn(x, x, x, tgt_mask),
            lambda x: self.src_attn(x, m, m, src_mask),
            self.feed_forward,
        )
        for sublayer, step in zip(self.sublayer, steps, strict=True):
            x = sublayer(x, step)
        return x
