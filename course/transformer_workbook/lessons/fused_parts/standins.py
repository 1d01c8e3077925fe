"""Stand-ins for lesson 12."""

from torch import nn
from torch.nn.functional import scaled_dot_product_attention

from transformer_workbook.lessons.add_and_norm.standins import LayerNorm
from transformer_workbook.lessons.training.standins import LabelSmoothing
from transformer_workbook.lessons.warm_up.standins import merge_heads, split_heads


class FusedMultiHeadAttention(nn.Module):
    """Shares the projections of the given attention."""

    def __init__(self, attention):
        super().__init__()
        for part in ("w_q", "w_k", "w_v", "w_o", "dropout"):
            self.add_module(part, attention.get_submodule(part))
        self.num_heads = int(attention.num_heads)

    def forward(self, query, key, value, mask=None):
        inputs = {"q": query, "k": key, "v": value}
        projected = [self.get_submodule(f"w_{role}")(x) for role, x in inputs.items()]
        heads = [split_heads(x, num_heads=self.num_heads) for x in projected]
        rate = self.dropout.p * self.dropout.training
        return self.get_submodule("w_o")(
            merge_heads(scaled_dot_product_attention(*heads, attn_mask=mask, dropout_p=rate))
        )


class FusedLayerNorm(LayerNorm):
    """Shares gamma and beta of the given norm."""

    def __init__(self, norm):
        super().__init__(len(norm.gamma), eps=norm.eps)
        for name in ("gamma", "beta"):
            self.register_parameter(name, norm.get_parameter(name))


class FusedLabelSmoothing(LabelSmoothing):
    """Section 5.4; the stand-in of lesson 09 makes no table either."""


_FUSED = {"w_q": FusedMultiHeadAttention, "gamma": FusedLayerNorm}


def fuse(model):
    """Replace every attention and norm in place, each in its mode; returns the model."""
    for path, part in list(model.named_modules()):
        for known_by, kind in _FUSED.items():
            if hasattr(part, known_by):
                model.set_submodule(path, kind(part).train(part.training))
    return model
