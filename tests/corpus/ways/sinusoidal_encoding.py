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


# %% right: tenth_own_where_even_or_odd
def sinusoidal_encoding(length, d_model):
    k = torch.arange(d_model)
    two_i = (k - k % 2).double()
    angles = torch.arange(length).double()[:, None] / 10000.0 ** (two_i / d_model)
    return torch.where(k % 2 == 0, angles.sin(), angles.cos()).float()
# %% right: tenth_own_stack_flatten_and_cut
def sinusoidal_encoding(length, d_model):
    pairs = math.ceil(d_model / 2)
    rates = torch.tensor([10000 ** (-2 * i / d_model) for i in range(pairs)], dtype=torch.float64)
    hands = torch.outer(torch.arange(length, dtype=torch.float64), rates)
    both = torch.stack((torch.sin(hands), torch.cos(hands)), dim=2)  # (T, pairs, 2)
    return both.reshape(length, 2 * pairs)[:, :d_model].to(torch.float32).contiguous()


# %% right: eleventh_own_column_by_column
def sinusoidal_encoding(length, d_model):
    steps = torch.arange(length, dtype=torch.float64)
    columns = []
    for feature in range(d_model):
        pair = feature // 2
        period = 10000.0 ** (2 * pair / d_model)
        wave = torch.cos if feature % 2 else torch.sin
        columns.append(wave(steps / period))
    return torch.stack(columns, dim=1).to(torch.float32)

# %% right: eleventh_own_outer_and_interleave
def sinusoidal_encoding(length, d_model):
    """Make full pairs, and cut the last cosine off where d_model is odd."""
    exponents = torch.arange(0, d_model, 2).double() / d_model
    hands = torch.outer(torch.arange(length).double(), torch.exp(-math.log(10000.0) * exponents))
    pairs = torch.stack((torch.sin(hands), torch.cos(hands)), dim=-1)  # (T, pairs, 2)
    return pairs.flatten(start_dim=1)[:, :d_model].float().contiguous()


# %% right: twelfth_own_phase_of_a_quarter_turn
def sinusoidal_encoding(length, d_model):
    k = torch.arange(d_model)
    odd = k % 2
    rates = 10000.0 ** (-(k - odd).double() / d_model)
    angles = torch.outer(torch.arange(length).double(), rates)
    return torch.sin(angles + odd * math.pi / 2).float()

# %% right: twelfth_own_complex_hands
def sinusoidal_encoding(length, d_model):
    pairs = math.ceil(d_model / 2)
    rates = [math.exp(-2 * i / d_model * math.log(10000)) for i in range(pairs)]
    angles = torch.arange(length, dtype=torch.float64)[:, None] * torch.tensor(rates, dtype=torch.float64)
    hands = torch.polar(torch.ones_like(angles), angles)
    both = torch.stack([hands.imag, hands.real], dim=-1)
    return both.reshape(length, 2 * pairs)[:, :d_model].to(torch.float32)
