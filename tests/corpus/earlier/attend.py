# %% wrong: drops-and-sees-all | Two mistakes: the mask is not passed to the kernel, so a query sees hidden keys, too; and attention.dropout.p is passed to the kernel: in decoding nothing is dropped, but the kernel drops at this rate always, so results are random.
def attend(attention, query, keys, values, mask=None):
    asked = split_heads(attention.w_q(query), attention.num_heads)
    heads = F.scaled_dot_product_attention(
        asked, keys, values, dropout_p=attention.dropout.p
    )
    output = attention.w_o(merge_heads(heads))
    return output
