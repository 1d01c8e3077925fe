// The trained translator's forward pass, written out: Section 3 of the paper, one sentence at a
// time. `without` names a part that is taken out, as in number_words/knock_outs.py.
import * as tf from "./tfjs.js";

const [PAD, BOS, EOS] = [0, 1, 2];
const HIDDEN = -1e9; // a score that softmax turns into 0

/** What `folder` has: the vocabularies and sizes, and the weights of a trained model. */
export async function open(folder) {
  const fetched = (name) => fetch(`${folder}/${name}`).then((answer) => {
    if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`);
    return answer;
  });
  const weightsOf = async (name) => read(await (await fetched(name)).arrayBuffer());
  await tf.setBackend("cpu");
  const [data, trained] = await Promise.all([
    fetched("data.json").then((answer) => answer.json()),
    weightsOf("trained.safetensors"),
  ]);
  let untrained; // is asked for when it is used first
  return {
    data,
    async translate(parts, without = "") {
      if (without === "training") untrained ??= await weightsOf("untrained.safetensors");
      const model = new Model(without === "training" ? untrained : trained, data, without);
      return tf.tidy(() => model.translate(parts));
    },
  };
}

/** The tensors of a safetensors file, in single precision, by name. */
function read(buffer) {
  const begin = 8 + Number(new DataView(buffer).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, begin - 8)));
  delete header.__metadata__;
  const tensors = Object.entries(header).map(([name, { dtype, shape, data_offsets }]) => {
    const bytes = buffer.slice(...data_offsets.map((offset) => begin + offset));
    const values = dtype === "F16" ? singles(new Uint16Array(bytes)) : new Float32Array(bytes);
    return [name, tf.tensor(values, shape)];
  });
  return Object.fromEntries(tensors);
}

function singles(halves) {
  return Float32Array.from(halves, (bits) => {
    const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
    const size = exponent ? 2 ** (exponent - 25) * (1024 + fraction) : 2 ** -24 * fraction;
    return bits >> 15 ? -size : size;
  });
}

class Model {
  constructor(weights, data, without) {
    Object.assign(this, { weights, data, without });
  }

  /** The English words, and the last cross-attention's weights, (H, T, S), while it writes them. */
  translate(parts) {
    const { german, english, longest, num_layers } = this.data;
    const source = [...parts.map((part) => german.indexOf(part)), EOS];
    // Padding is there in a batch of sentences of several lengths.
    if (this.without === "padding mask") {
      while (source.length < longest) source.push(PAD);
    }
    const hidden = this.without === "padding mask" ? null : this.padding(source, 1);
    const memory = this.encode(source, hidden);
    const written = [BOS];
    while (written.length < longest && written.at(-1) !== EOS) {
      const scores = this.decode(written, memory, hidden).arraySync().at(-1);
      written.push(scores.indexOf(Math.max(...scores)));
    }
    const words = written.filter((id) => ![PAD, BOS, EOS].includes(id));
    this.decode([BOS, ...words], memory, hidden);
    return {
      parts: source.map((id) => german[id]),
      words: [...words, EOS].map((id) => english[id]),
      weights: this.looked[`decoder.layers.${num_layers - 1}.cross_attn`].arraySync(),
    };
  }

  encode(ids, hidden) {
    let x = this.embed("src_embed", ids);
    if (this.without === "encoder") return x;
    for (let i = 0; i < this.data.num_layers; i++) {
      const layer = `encoder.layers.${i}`;
      x = this.connect(`${layer}.sublayers.0`, x, this.attend(`${layer}.self_attn`, x, x, hidden));
      x = this.connect(`${layer}.sublayers.1`, x, this.feedForward(layer, x));
    }
    return x;
  }

  /** The scores of the word that follows each of `ids`, (T, V). */
  decode(ids, memory, hidden) {
    this.looked = {};
    const later = this.without === "causal mask" ? null : this.padding(ids, ids.length, true);
    let x = this.embed("tgt_embed", ids);
    for (let i = 0; i < this.data.num_layers; i++) {
      const layer = `decoder.layers.${i}`;
      x = this.connect(`${layer}.sublayers.0`, x, this.attend(`${layer}.self_attn`, x, x, later));
      const found = this.attend(`${layer}.cross_attn`, x, memory, hidden);
      const used = this.without === "cross-attention" ? tf.mul(found, 0) : found;
      x = this.connect(`${layer}.sublayers.1`, x, used);
      x = this.connect(`${layer}.sublayers.2`, x, this.feedForward(layer, x));
    }
    return this.linear("generator.proj", x);
  }

  embed(side, ids) {
    const size = this.data.d_model;
    let x = tf.gather(this.weights[`${side}.0.embedding.weight`], ids);
    if (this.without !== "embedding scale") x = tf.mul(x, Math.sqrt(size));
    return this.without === "positions" ? x : tf.add(x, sinusoids(ids.length, size));
  }

  /** Multi-head attention of queries from x, (T, D), to keys and values from content, (S, D). */
  attend(name, x, content, mask) {
    const { num_heads: heads, d_model: features } = this.data;
    const size = features / heads;
    const split = (y) => (this.without === "swap"
      ? tf.reshape(y, [heads, -1, size])
      : tf.transpose(tf.reshape(y, [-1, heads, size]), [1, 0, 2])); // (H, T, d_k)
    const [query, key, value] = [["w_q", x], ["w_k", content], ["w_v", content]]
      .map(([role, y]) => split(this.linear(`${name}.${role}`, y)));
    let scale = this.without === "scaling" ? 1 : 1 / Math.sqrt(size);
    if (this.without === "attention") scale = 0;
    let scores = tf.mul(tf.matMul(query, key, false, true), scale); // (H, T, S)
    if (mask) scores = tf.add(scores, mask);
    const weights = tf.softmax(scores);
    if (this.looked) this.looked[name] = weights;
    let heard = tf.matMul(weights, value); // (H, T, d_k)
    if (this.without !== "swap") heard = tf.transpose(heard, [1, 0, 2]);
    heard = tf.reshape(heard, [-1, features]);
    if (this.without === "all heads but one") {
      heard = tf.mul(heard, tf.tensor(Array.from({ length: features }, (_, i) => Number(i < size))));
    }
    return this.linear(`${name}.w_o`, heard);
  }

  /** Add & norm. */
  connect(name, x, result) {
    let sum = tf.add(x, result);
    if (this.without === "residuals") sum = tf.sub(sum, x);
    if (this.without === "norms") return sum;
    const centered = tf.sub(sum, tf.mean(sum, -1, true));
    const variance = tf.mean(tf.mul(centered, centered), -1, true);
    const normed = tf.mul(centered, tf.rsqrt(tf.add(variance, 1e-6)));
    const { [`${name}.norm.gamma`]: gamma, [`${name}.norm.beta`]: beta } = this.weights;
    return tf.add(tf.mul(normed, gamma), beta);
  }

  feedForward(layer, x) {
    const inner = tf.relu(this.linear(`${layer}.feed_forward.w_1`, x));
    const result = this.linear(`${layer}.feed_forward.w_2`, inner);
    return this.without === "feed-forward" ? tf.mul(result, 0) : result;
  }

  linear(name, x) {
    const product = tf.matMul(x, this.weights[`${name}.weight`], false, true);
    return tf.add(product, this.weights[`${name}.bias`]);
  }

  /** What to add to scores, so that padding (and what comes later) is hidden: (rows, T). */
  padding(ids, rows, causal = false) {
    const row = (t) => ids.map((id, s) => (id === PAD || (causal && s > t) ? HIDDEN : 0));
    return tf.tensor(Array.from({ length: rows }, (_, t) => row(t)));
  }
}

function sinusoids(length, size) {
  const wave = (t, i) => {
    const angle = t / 10000 ** ((i - (i % 2)) / size);
    return i % 2 ? Math.cos(angle) : Math.sin(angle);
  };
  const row = (t) => Array.from({ length: size }, (_, i) => wave(t, i));
  return tf.tensor(Array.from({ length }, (_, t) => row(t)));
}
