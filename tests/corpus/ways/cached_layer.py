# %% right: field_norm_first_by_the_connections
def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    def _sa_block(x):
        k, v = keys_and_values(layer.self_attn, x)
        k, v = cache.append(k, v)
        return attend(layer.self_attn, x, k, v, mask)
    def _mha_block(x):
        bsz, tgt_len, dim = x.size()
        k, v = memory
        beam_size = bsz // k.size(0)
        q = x.contiguous().view(k.size(0), beam_size * tgt_len, dim)
        return attend(layer.cross_attn, q, k, v, memory_mask).view(bsz, tgt_len, dim)
    blocks = [_sa_block] if memory is None else [_sa_block, _mha_block]
    for connection, block in zip(layer.sublayers, [*blocks, layer.feed_forward]):
        x = connection(x, block)
    return x
# %% right: field_memory_repeated_for_each_beam
def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    x = layer.sublayers[0](
        x,
        lambda x: attend(
            layer.self_attn, x, *cache.append(*keys_and_values(layer.self_attn, x)), mask
        ),
    )
    if memory is not None:
        beams = x.size(0) // memory[0].size(0)
        m_k, m_v = (m.repeat_interleave(beams, dim=0) for m in memory)
        src_mask = None if memory_mask is None else memory_mask.repeat_interleave(beams, dim=0)
        x = layer.sublayers[1](x, lambda x: attend(layer.cross_attn, x, m_k, m_v, src_mask))
    return layer.sublayers[-1](x, layer.feed_forward)
