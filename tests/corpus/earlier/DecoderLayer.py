# %% wrong: own_memory_normalized_in_pre_norm | In pre-norm the memory is sent through the norm of the cross-attention's connection, as if everything that a sublayer reads had to be normalized; only x is, the memory is read as it is.
class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.norm_first = norm_first
        self.to_target = MultiHeadAttention(d_model, num_heads, dropout)
        self.to_source = MultiHeadAttention(d_model, num_heads, dropout)
        self.network = PositionwiseFeedForward(d_model, d_ff, dropout)
        self.around_target = SublayerConnection(d_model, dropout, norm_first)
        self.around_source = SublayerConnection(d_model, dropout, norm_first)
        self.around_network = SublayerConnection(d_model, dropout, norm_first)
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        read = self.around_source.norm(memory) if self.norm_first else memory
        def ask_target(y):
            return self.to_target(y, y, y, tgt_mask)
        def ask_source(y):
            return self.to_source(y, read, read, src_mask)
        x = self.around_target(x, ask_target)
        x = self.around_source(x, ask_source)
        return self.around_network(x, self.network)
