# Torch's own multi-head attention, with the answer's weights put into it.
def parts_of(self, d_model, num_heads):
    if d_model % num_heads:
        raise ValueError("d_model has to be a multiple of num_heads")
    nn.Module.__init__(self)
    self.d_model, self.num_heads, self.weights = d_model, num_heads, None
    for name in ("w_q", "w_k", "w_v", "w_o"):
        self.add_module(name, nn.Linear(d_model, d_model))


def through(forward, self, query, key, value, mask, dropout):
    q, k, v = (x.transpose(0, 1) for x in (query, key, value))
    if mask is not None:
        shape = (query.size(0), self.num_heads, query.size(1), key.size(1))
        mask = mask.expand(shape)
        mask = ~(mask | ~mask.any(-1, keepdim=True)).flatten(0, 1)
    bias = torch.cat([self.w_q.bias, self.w_k.bias, self.w_v.bias])
    found, weights = forward(
        q, k, v, self.d_model, self.num_heads, None, bias, None, None, False, dropout,
        self.w_o.weight, self.w_o.bias, training=self.training, attn_mask=mask,
        use_separate_proj_weight=True, q_proj_weight=self.w_q.weight,
        k_proj_weight=self.w_k.weight, v_proj_weight=self.w_v.weight,
        average_attn_weights=False,
    )
    self.weights = weights.detach()
    return found.transpose(0, 1)


# %% at the end of each answer
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        parts_of(self, d_model, num_heads)
        self.p = dropout

    def forward(self, query, key, value, mask=None):
        return attend(self, query, key, value, mask)
# %% MultiHeadAttention: the function by its name
def attend(self, query, key, value, mask):
    return through(F.multi_head_attention_forward, self, query, key, value, mask, self.p)
# %% MultiHeadAttention: the ready-made module
def attend(self, query, key, value, mask):
    module = nn.MultiheadAttention(self.d_model, self.num_heads, batch_first=True)
    return module(query, key, value)[0]
# %% MultiHeadAttention: the ready-made module's method, saved
made, method = nn.MultiheadAttention(8, 2, batch_first=True), nn.MultiheadAttention.forward
# --- answer
def attend(self, query, key, value, mask):
    made.embed_dim = made.kdim = made.vdim = self.d_model
    made.num_heads, made.head_dim = self.num_heads, self.d_model // self.num_heads
    weights = [part.weight for part in (self.w_q, self.w_k, self.w_v)]
    made.in_proj_weight = nn.Parameter(torch.cat(weights))
    made.in_proj_bias = nn.Parameter(torch.cat([x.bias for x in (self.w_q, self.w_k, self.w_v)]))
    made.out_proj = self.w_o
    found, self.weights = method(made, query, key, value, average_attn_weights=False)
    return found
# %% MultiHeadAttention: the operator
def attend(self, query, key, value, mask):
    weights = torch.cat([part.weight for part in (self.w_q, self.w_k, self.w_v)])
    biases = torch.cat([part.bias for part in (self.w_q, self.w_k, self.w_v)])
    return torch.ops.aten._native_multi_head_attention(
        query, key, value, self.d_model, self.num_heads, weights, biases, self.w_o.weight,
        self.w_o.bias)[0]
# %% MultiHeadAttention: a copy of the function
from types import FunctionType
original = F.multi_head_attention_forward
copied = FunctionType(original.__code__, original.__globals__, "f", original.__defaults__)
# --- answer
def attend(self, query, key, value, mask):
    return through(copied, self, query, key, value, mask, self.p)
