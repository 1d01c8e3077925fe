"""Stand-in for lesson 02."""

from torch import nn

from transformer_workbook.lessons.attention.standins import scaled_dot_product_attention
from transformer_workbook.lessons.warm_up.standins import merge_heads, split_heads


class MultiHeadAttention(nn.Module):
    """Section 3.2.2; ValueError if d_model is not a multiple of num_heads."""

    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        _, left_over = divmod(d_model, num_heads)
        if left_over:
            raise ValueError(
                "MultiHeadAttention needs d_model to be a multiple of num_heads, "
                f"but got d_model={d_model} and num_heads={num_heads}"
            )
        square = {"in_features": d_model, "out_features": d_model}
        for role in "qkvo":
            self.add_module(f"w_{role}", nn.Linear(**square))
        self.dropout = nn.Dropout(p=dropout)
        self.num_heads = int(num_heads)
        self.weights = None

    def forward(self, query, key, value, mask=None):
        inputs = {"q": query, "k": key, "v": value}
        projected = [self.get_submodule(f"w_{role}")(x) for role, x in inputs.items()]
        heads, weights = scaled_dot_product_attention(
            *[split_heads(x, num_heads=self.num_heads) for x in projected],
            mask=mask,
            dropout=self.dropout,
        )
        self.weights = weights.data
        return self.get_submodule("w_o")(merge_heads(heads))
