# %% wrong: windows_swapped | TRUE CAUSE: the two windows are exchanged: the decoder reads from the second token on and has to predict the token before, because "shifted right" was taken to mean that the input starts later
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to predict."""
    decoder_input = tgt[:, 1:]  # (N, T - 1)
    labels = tgt[:, :-1]  # (N, T - 1)
    return decoder_input, labels

# %% wrong: full_length_with_bos_in_front | TRUE CAUSE: the whole target is taken as labels and another start token is put in front of the input, so both are (N, T), the decoder reads <bos> twice and has to predict the given <bos>
def shift_right(tgt):
    decoder_input = torch.empty_like(tgt)
    decoder_input[:, 1:] = tgt[:, :-1]
    decoder_input[:, 0] = tgt[:, 0]  # bos
    labels = tgt.clone()
    return decoder_input, labels

# %% wrong: labels_cut_from_decoder_input | TRUE CAUSE: the labels are cut from the decoder's input, which has lost its last token already, so they have T - 2 columns and lack the last token
def shift_right(tgt):
    """Split targets, (N, T), into what the decoder reads and what it has to predict."""
    decoder_input = tgt[:, :-1]  # (N, T - 1)
    labels = decoder_input[:, 1:]  # (N, T - 1)
    return decoder_input, labels
