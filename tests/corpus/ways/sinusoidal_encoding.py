# %% right: stack_and_flatten
def sinusoidal_encoding(length, d_model):
    position = torch.arange(length, dtype=torch.float64)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)
    rate = torch.exp(-even_feature * math.log(10000.0) / d_model)
    angle = torch.outer(position, rate)
    pairs = torch.stack([angle.sin(), angle.cos()], dim=-1)  # (T, ceil(D / 2), 2)
    return pairs.flatten(1)[:, :d_model].float()


# %% right: feature_by_feature
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5)."""
    position = torch.arange(length, dtype=torch.float64)
    columns = []
    for feature in range(d_model):
        angle = position / 10000 ** ((feature - feature % 2) / d_model)
        columns.append(torch.cos(angle) if feature % 2 else torch.sin(angle))
    return torch.stack(columns, dim=1).to(torch.float32)
