# %% right: field_incremental_state_per_layer
class CachedDecoder:
    def __init__(self, model, src, max_len):
        self.model, self.pad = model, model.pad_id
        self.encoder_padding_mask = padding_mask(src, self.pad)
        encoder_out = model.encode(src, self.encoder_padding_mask)
        self.incremental_state = []
        for layer in model.decoder.layers:
            static_kv = keys_and_values(layer.cross_attn, encoder_out)
            self.incremental_state.append((layer, KeyValueCache(max_len), static_kv))
    def step(self, prev_output_tokens):
        mask = (prev_output_tokens != self.pad)[:, None, None, :]
        offset = prev_output_tokens.size(1) - 1
        embed_tokens, embed_positions = self.model.tgt_embed[0], self.model.tgt_embed[1]
        x = embed_positions(embed_tokens(prev_output_tokens[:, -1:]), start=offset)
        for layer, saved_state, static_kv in self.incremental_state:
            x = cached_layer(
                layer, x, saved_state, mask, memory=static_kv, memory_mask=self.encoder_padding_mask
            )
        x = self.model.decoder.norm(x)
        return self.model.generator(x).squeeze(1)
    def reorder(self, new_order):
        for _, saved_state, _ in self.incremental_state:
            saved_state.reorder(new_order)
# %% right: field_past_key_values_and_logits
class CachedDecoder(nn.Module):
    def __init__(self, model, input_ids, max_len):
        super().__init__()
        self.model = model
        self.src_mask = padding_mask(input_ids, model.pad_id)
        encoder_hidden_states = model.encode(input_ids, self.src_mask)
        self.past_key_values = [KeyValueCache(max_len) for _ in range(len(model.decoder.layers))]
        self.cross = []
        for block in model.decoder.layers:
            self.cross.append(keys_and_values(block.cross_attn, encoder_hidden_states))
    @torch.no_grad()
    def step(self, decoder_input_ids):
        past_length = decoder_input_ids.shape[1] - 1
        hidden_states = self.model.tgt_embed[0](decoder_input_ids[:, past_length:])
        hidden_states = self.model.tgt_embed[1](hidden_states, past_length)
        attention_mask = padding_mask(decoder_input_ids, self.model.pad_id)
        for i, block in enumerate(self.model.decoder.layers):
            hidden_states = cached_layer(
                block,
                hidden_states,
                self.past_key_values[i],
                attention_mask,
                self.cross[i],
                self.src_mask,
            )
        last = self.model.decoder.norm(hidden_states[:, -1, :])
        return F.log_softmax(self.model.generator.proj(last), dim=-1)
    def reorder(self, beam_idx):
        for layer_past in self.past_key_values:
            layer_past.reorder(beam_idx)
