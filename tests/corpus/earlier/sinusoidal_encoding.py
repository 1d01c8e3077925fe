# %% wrong: result_in_double | the result is made with dtype=torch.float64 like the angles, where the text wants float32, so that all that it is added to becomes double
def sinusoidal_encoding(length, d_model):
    position = torch.arange(length, dtype=torch.float64)[:, None]  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i, in double precision
    rate = 1 / 10000 ** (even_feature / d_model)
    angle = position * rate  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model, dtype=torch.float64)
    encoding[:, 0::2] = angle.sin()
    paired = angle[:, : d_model // 2]  # if d_model is odd, without the last one
    encoding[:, 1::2] = paired.cos()
    return encoding

# %% wrong: stays-in-double | everything is computed in float64 and stacked without going back: the result is float64, where the notebook wants float32.
def sinusoidal_encoding(length, d_model):
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)
    rate = 10000 ** (-even_feature / d_model)
    angle = torch.outer(torch.arange(length, dtype=torch.float64), rate)
    waves = torch.stack([angle.sin(), angle.cos()], dim=-1)
    return waves.flatten(1)[:, :d_model]
