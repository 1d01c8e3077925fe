# %% wrong: own_packed_once | The three projections are packed in __init__ into one detached copy of the weights and biases, which forward uses instead of w_q, w_k and w_v, so these get no gradient and later changes of the weights have no effect on the output.
class FusedMultiHeadAttention(nn.Module):
    def __init__(self, attention):
        super().__init__()
        self.num_heads = attention.num_heads
        self.w_q = attention.w_q
        self.w_k = attention.w_k
        self.w_v = attention.w_v
        self.w_o = attention.w_o
        self.dropout = attention.dropout
        linears = [self.w_q, self.w_k, self.w_v]
        weight = torch.cat([l.weight.data for l in linears])
        bias = torch.cat([l.bias.data for l in linears])
        self.register_buffer("packed_weight", weight, persistent=False)
        self.register_buffer("packed_bias", bias, persistent=False)
    def forward(self, query, key, value, mask=None):
        weights, biases = self.packed_weight.chunk(3), self.packed_bias.chunk(3)
        q, k, v = [
            split_heads(F.linear(x, w, b), self.num_heads)
            for x, w, b in zip((query, key, value), weights, biases)
        ]
        p = self.dropout.p if self.training else 0.0
        return self.w_o(merge_heads(F.scaled_dot_product_attention(q, k, v, mask, p)))
