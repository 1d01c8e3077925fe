# %% wrong: factor_at_least_one | The factor is limited from below: max instead of min with 1. Long gradients stay as they are, and short ones are still made longer.
def clip_gradients(gradients, max_norm):
    squares = [(gradient**2).sum() for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    factor = (max_norm / norm).clamp(min=1.0)
    return [factor * gradient for gradient in gradients], norm
# %% wrong: lengths_are_added | The length of each gradient is computed, and these lengths are added. The length of one long vector is the root of the sum of the squares, not the sum of the tensors' lengths.
def clip_gradients(gradients, max_norm):
    lengths = [(gradient**2).sum().sqrt() for gradient in gradients]
    norm = torch.stack(lengths).sum()
    factor = (max_norm / norm).clamp(max=1.0)
    return [factor * gradient for gradient in gradients], norm
# %% wrong: own_clamps_each_number | Each number is clamped to the range from -max_norm to max_norm. All numbers have to be shrunk by one common factor; so clamped, the gradients may still be too long, and their direction changes.
def clip_gradients(gradients, max_norm):
    everything = torch.cat([gradient.flatten() for gradient in gradients])
    norm = everything.square().sum().sqrt()
    if norm <= max_norm:
        return gradients, norm
    return [gradient.clamp(-max_norm, max_norm) for gradient in gradients], norm
# %% wrong: own_shrinks_to_length_one | Gradients that are too long are divided by their length, so they become 1 long and not max_norm long. It is right only for max_norm=1.
def clip_gradients(gradients, max_norm):
    total = 0
    for gradient in gradients:
        total = total + (gradient * gradient).sum()
    norm = total.sqrt()
    if norm > max_norm:
        gradients = [gradient / norm for gradient in gradients]
    return list(gradients), norm
