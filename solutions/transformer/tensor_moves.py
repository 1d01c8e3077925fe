"""The two moves that let one tensor hold every head of an attention layer."""


def split_heads(x, num_heads):
    """Cut the features of x, (N, T, D), into heads; the first holds the first d_k of them."""
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    cut = x.view(batch, length, num_heads, d_k)  # (N, T, H, d_k)
    heads = cut.transpose(1, 2)  # (N, H, T, d_k)
    return heads


def merge_heads(x):
    """Lay the heads of x, (N, H, T, d_k), side by side again: the inverse of split_heads."""
    batch, num_heads, length, d_k = x.shape
    side_by_side = x.transpose(1, 2)  # (N, T, H, d_k)
    merged = side_by_side.reshape(batch, length, num_heads * d_k)  # (N, T, D)
    return merged
