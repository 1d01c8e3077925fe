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


# %% right: own_hands_of_a_clock
def sinusoidal_encoding(length, d_model):
    pairs = math.ceil(d_model / 2)
    rates = torch.tensor([10000.0 ** (-2 * i / d_model) for i in range(pairs)], dtype=torch.float64)
    angles = torch.outer(torch.arange(length, dtype=torch.float64), rates)
    hands = torch.stack((angles.sin(), angles.cos()), dim=-1)
    return hands.flatten(start_dim=1)[:, :d_model].to(torch.float32).contiguous()

# %% right: own_cosine_as_a_quarter_turn
def sinusoidal_encoding(length, d_model):
    feature = torch.arange(d_model)
    odd = feature % 2
    wavelength = torch.pow(10000.0, (feature - odd).double() / d_model)
    pos = torch.arange(length).double().view(-1, 1)
    return torch.sin(pos / wavelength + odd * math.pi / 2).float()
