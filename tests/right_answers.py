"""Right answers for cells of tests, each in one place; a wrong one is made by a small `replace`.

They stand as students write them: no docstrings, and other lines than those of the reference.
"""

SPLIT = """
def split_heads(x, num_heads):
    n, t, d = x.shape
    return x.view(n, t, num_heads, d // num_heads).transpose(1, 2)
"""
MERGE = """
def merge_heads(x):
    return x.transpose(1, 2).flatten(2)
"""
CAUSAL_MASK = """
def causal_mask(size, device=None):
    return torch.ones(1, 1, size, size, dtype=torch.bool, device=device).tril()
"""
LAYER_NORM = """
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, keepdim=True, correction=0)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        return self.gamma * normed + self.beta
"""
_ATTENTION = """
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = {scores}
    if mask is not None:
        scores = {masked}
    weights = {weights}
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return output, weights
"""


def attention(
    scores: str = "query @ key.mT / math.sqrt(d_k)",
    masked: str = "torch.where(mask, scores, -1e9)",
    weights: str = "F.softmax(scores, -1)",
) -> str:
    """scaled_dot_product_attention, with these values in its blanks."""
    return _ATTENTION.format(scores=scores, masked=masked, weights=weights)
