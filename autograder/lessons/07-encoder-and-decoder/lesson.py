# %% [markdown]
# ## Without the encoder, without the source
#
# First we take out the layers of the **encoder**. The decoder still looks at the German words, but
# at each of them alone, as it came from the embedding, because no word has looked at its neighbors.
# The "fünf" is a 50 in "vierundfünfzig" (54), but a 5 in "fünfundvierzig" (45). What will become of
# it in these two, in 725, which ends in "fünfundzwanzig", and in 31058, which ends in
# "achtundfünfzig"?

# %% name="without-encoder"
wb.translator.compare(54, 45, 725, 31058, without="encoder")

# %% [markdown]
# Only the first is right, and the second becomes 54, too, with its two digits swapped. In the
# third the "fünf" is lost, and in the last it becomes 5, not 50. Whether a "fünf" is a 5 or a 50
# depends on the words around it, and finding that out is the encoder's job.
#
# Now the encoder works again, but the decoder throws away all that it finds in the source. Before
# you run the cell, guess what it can still write.

# %% name="without-cross-attention"
wb.translator.compare(7, 54, 725, without="cross-attention")

# %% [markdown]
# Fluent English, and always the same. The decoder knows how numbers are built, but it can't know
# which one we sent. Alone it is a **language model**, which continues with what is likely, and only
# the cross-attention makes it a translator.
#
# ## What you will be able to do
#
# - assemble the layers of Figure 1 of [Attention Is All You Need](https://arxiv.org/abs/1706.03762)
#   from the parts that you have,
# - say for each of its three attention layers where query, key and value come from, and which mask
#   it needs,
# - stack layers so that each has weights of its own, and PyTorch finds them all.
#
# It takes about 85 minutes. Much can go wrong without an error message, so the checks are strict.
#
# *Where it sits.* These are the two large frames of Figure 1, the encoder on the left and the
# decoder on the right. You've already built everything inside them, and now you wire it up.

# %% name="where-it-sits"
wb.progress(current=["EncoderLayer", "DecoderLayer", "Encoder", "Decoder"])

# %% [markdown]
# ## Gather, then think, again and again
#
# What does one layer of the encoder do to a sentence? First, **attention** lets each token gather
# what it needs from the others, and then the **feed-forward network** works on each token alone,
# with all that it has gathered. Around each of the two we put Add & Norm, which adds the result to
# its input, and normalizes.
#
# One layer gathers only once, although some things take several steps. To know what "it" means, for
# example, we first have to know what the other words mean. So we repeat the layer, six times in the
# paper (section 3.1), each time with weights of its own.
#
# *By hand.* We take two tokens with three features each. To keep the numbers small, we let
# attention weight both tokens equally, and let the feed-forward network be only a ReLU.
#
# | step | token 1 | token 2 |
# |---|---|---|
# | in | (0, 2, 0) | (0, 0, 2) |
# | attention: the average of both | (0, 1, 1) | (0, 1, 1) |
# | add | (0, 3, 1) | (0, 1, 3) |
# | norm: mean 0, standard deviation 1 | (-1.07, 1.34, -0.27) | (-1.07, -0.27, 1.34) |
# | feed-forward: ReLU | (0, 1.34, 0) | (0, 0, 1.34) |
# | add | (-1.07, 2.67, -0.27) | (-1.07, -0.27, 2.67) |
# | norm | (-0.94, 1.38, -0.44) | (-0.94, -0.44, 1.38) |
#
# Attention alone would have made both tokens equal. Because we *add* its result, each token stays
# itself and knows a little of the other. In token 1 the second feature is still the largest, but
# the third, in which token 2 is large, now stands above the first. Without attention, the third and
# the first would be equal. The code gives the same numbers.

# %% name="by-hand"
tokens = torch.tensor([[0.0, 2.0, 0.0], [0.0, 0.0, 2.0]])
gathered = tokens.mean(dim=0, keepdim=True)
after_first = F.layer_norm(tokens + gathered, (3,))
after_second = F.layer_norm(after_first + after_first.relu(), (3,))
print(after_first, after_second, sep="\n")

# %% [markdown]
# ## Three attention layers
#
# How do the two stacks work together? When the translator writes, the encoder runs once, but the
# decoder runs again for every word. At each step it reads the words at the bottom of the next
# picture, first the start token `<bos>` alone. (The probabilities at the top are made up.)

# %% name="decoder-loop"
wb.show.decoder_loop()

# %% [markdown]
# The last vector decides the next word (outlined), and that word joins the others in the next step.
# (You build the part that turns a vector into a word in lesson 08.)
#
# A decoder layer thus has to look in two directions, at the words written so far and at the source,
# so it needs one sublayer more than an encoder layer. Together, the two have three attention layers
# (section 3.2.3 of the paper, which leaves out the padding):
#
# | attention | who asks (query) | who is asked (key and value) | what is hidden |
# |---|---|---|---|
# | self-attention (encoder) | the source | the source | padding of the source |
# | masked self-attention (decoder) | the target | the target | padding of the target, the future |
# | cross-attention | the target | the encoder's output | padding of the source |
#
# The encoder's output is called the **memory**. We compute it once, and every layer of the decoder
# looks at it, but none changes it. Since the memory comes out of the *last* layer of the encoder,
# layer 1 of the decoder doesn't look at layer 1 of the encoder, but at the top, as all the others
# do:

# %% name="memory-drawn"
wb.show.memory_arrows()

# %% [markdown]
# In cross-attention we don't hide any future, because the source is known as a whole. To tell the
# three apart in code, remember the rule that *the result has as many rows as the query*.
#
# ## The encoder layer
#
# Your `SublayerConnection` of lesson 03 takes two things, `x` and a **function**, and calls the
# function itself, with `x` in post-norm and with the normalized `x` in pre-norm. The feed-forward
# network is such a function, since it takes one tensor. But attention takes four arguments, so we
# put a `lambda` around it, a function without a name. The one below has one argument, `y`, and
# takes `limit` from the code around it:


# %% name="lambda"
def call(function):
    return function(torch.tensor([2.0, 5.0]))


limit = 3
print(call(lambda y: torch.clamp(y, max=limit)))

# %% [markdown]
# As `call` does here, the connection calls your `lambda` with one tensor, its `y`, and the `mask`
# comes from the code around it. Here is the whole layer in pre-norm, where `y` and `x` differ. (In
# post-norm, the default, `y` is `x` itself, and the norm stands behind the sum.)

# %% name="layer-drawn"
wb.show.layer("encoder")

# %% [markdown]
# Fill the two blanks.
#
# <details><summary>The fine print</summary>
#
# All of this holds for layers and stacks alike.
#
# - `dropout` is passed on to every part. The parts apply it, so the layer adds no dropout itself.
# - A mask of None hides nothing, whatever mask came with an earlier call.
# - Make each `lambda` in `forward`. In a copy of the layer (`copy.deepcopy`, in lesson 10), one
#   made in `__init__` would still call the parts of the original.
# - The layers of a stack may be such copies of one layer, since each copy has weights of its own.
# - PyTorch has all that you write in this lesson ready-made, as `nn.TransformerEncoderLayer`,
#   `nn.TransformerEncoder`, and the same for the decoder. Here you write it yourself, so check and
#   grading accept none of them. At the end you compare.
#
# </details>

# %% name="setup"
LayerNorm, SublayerConnection, MultiHeadAttention, PositionwiseFeedForward = wb.use(
    "LayerNorm", "SublayerConnection", "MultiHeadAttention", "PositionwiseFeedForward"
)

# %% answer="EncoderLayer"

# %% check="EncoderLayer"

# %% [markdown]
# Stuck? The blanks are called `encoder_self_attention` and `encoder_feed_forward`.

# %% name="hint"
wb.hint("encoder_self_attention")

# %% [markdown]
# ## Where PyTorch looks for parts
#
# A decoder layer will need three connections. Does it matter in which kind of container we keep
# them? `EncoderLayer` keeps its two in an `nn.ModuleList`, so that PyTorch finds them. A layer that
# PyTorch doesn't find is never trained, saved or moved to a GPU, and as long as we stay on a CPU,
# nothing warns us.
#
# *Predict, then run.* Below, we keep two layers in a dictionary, once in Python's own `dict` and
# once in PyTorch's `nn.ModuleDict`. A layer such as `nn.Linear(3, 4)` has 3 · 4 weights and 4
# biases. How many parameters does PyTorch find in each dictionary?

# %% name="guess-parameters"
in_a_dict = None
in_a_module_dict = None


# %% name="module-dict"
class Pair(nn.Module):
    """Two layers, kept in the given kind of dict."""

    def __init__(self, kind):
        super().__init__()
        self.parts = kind({"first": nn.Linear(3, 4), "second": nn.Linear(4, 2)})


def count(module):
    return sum(parameter.numel() for parameter in module.parameters())


wb.reveal(in_a_dict, count(Pair(dict)))
wb.reveal(in_a_module_dict, count(Pair(nn.ModuleDict)))

# %% [markdown]
# PyTorch finds the layers that are *attributes* of a module. If an attribute is a container,
# however, PyTorch looks only into its own kinds, `nn.ModuleDict`, and `nn.ModuleList`, which keeps
# layers in a row.
#
# There's a second trap, since a layer may stand in two places and still be a single layer. An
# `nn.Linear(3, 3)` has 12 parameters, so how many will PyTorch count in each of the pairs below?

# %% name="same-object"
layer = nn.Linear(3, 3)
shared = nn.ModuleDict({"first": layer, "second": layer})
created = nn.ModuleDict({"first": nn.Linear(3, 3), "second": nn.Linear(3, 3)})
print("one object, twice:", count(shared), "parameters")
print("two objects:      ", count(created), "parameters")

# %% [markdown]
# In the first pair, both **share their weights**, so whatever `first` learns, `second` has learned
# too. To get a layer with weights of its own, call `nn.Linear` again.
#
# ## The decoder layer
#
# Three sublayers, two of them attention layers, need three connections. The vectors that pass
# through the decoder have a row for each target position, so remember that *the result has as many
# rows as the query*. Here the layer is drawn in pre-norm again, with two lambdas, since the
# feed-forward network needs none.

# %% name="decoder-layer-drawn"
wb.show.layer("decoder")

# %% [markdown]
# Fill the four blanks, and take your time with the two attention layers. If you mix up `y` and
# `memory`, or the two masks, the layer runs without an error whenever source and target happen to
# be equally long.
#
# <details><summary>The fine print</summary>
#
# The parts may have any names, and be created in any order. But lesson 13 reaches into a layer by
# the names below, so keep them if you want to use your own layers there.
#
# </details>

# %% answer="DecoderLayer"

# %% check="DecoderLayer"

# %% [markdown]
# Stuck? The blanks are called `connections`, `masked_self_attention`, `cross_attention` and
# `decoder_feed_forward`.

# %% name="hint-decoder"
wb.hint("cross_attention")

# %% [markdown]
# *The paper, line by line.*
#
# | Figure 1 and section 3.1 | your code |
# |---|---|
# | LayerNorm(x + Sublayer(x)), once for each sublayer | `self.sublayers` |
# | multi-head attention (left) | the blank `encoder_self_attention` |
# | masked multi-head attention (right, below) | the blank `masked_self_attention` |
# | multi-head attention (right, middle) | the blank `cross_attention` |
# | feed forward | the blanks `encoder_feed_forward`, `decoder_feed_forward` |
#
# *Predict, then run.* Our decoder layer, with a `d_model` of 16, gets a target of shape `(2, 5,
# 16)` and a memory of shape `(2, 7, 16)`. Which shape does its result have?

# %% name="guess-shape"
decoded_shape = None  # for instance (1, 2, 3)

# %% name="reveal-shape"
decoder_layer = wb.use("DecoderLayer")(16, 4, 32).eval()
target, memory = torch.randn(2, 5, 16), torch.randn(2, 7, 16)
wb.reveal(decoded_shape, tuple(decoder_layer(target, memory).shape))

# %% [markdown]
# ## Who feels whom?
#
# To see whether the causal mask reaches the right layer, we nudge one position and measure how much
# each position of the result moves. For that we take the **Jacobian**, the derivatives of all
# numbers of the result with respect to all numbers of the input. Each cell of the picture shows how
# large the derivatives between two positions are, taken together. Since layer and vectors are
# random, look only for zeros. We begin with the target, under a causal mask. What do you expect
# above the diagonal?

# %% name="feel-target"
from torch.autograd.functional import jacobian

torch.manual_seed(0)
seen = wb.use("causal_mask")(5)
target, memory = torch.randn(1, 5, 16), torch.randn(1, 4, 16)
german = ["die", "Katze", "saß", "da"]
english = ["<bos>", "the", "cat", "sat", "there"]
moves = jacobian(lambda target: decoder_layer(target, memory, None, seen), target)
# The axes left: position and feature of the result, position and feature that was nudged.
felt = moves[0, :, :, 0].norm(dim=(1, 3))
print("largest above the diagonal:", felt.triu(1).abs().max().item())
wb.show.heat_map(
    felt,
    english,
    english,
    title="How strongly each target position feels the others",
    row_axis="result at this position",
    column_axis="position that was nudged",
)

# %% [markdown]
# Above the diagonal every number is exactly 0, as the line printed above the picture says, so no
# position feels what comes after it. The diagonal is strong, since the residual connection carries
# each token straight through. If we now nudge the memory, will there be a triangle again?

# %% name="feel-memory"
moves = jacobian(lambda memory: decoder_layer(target, memory, None, seen), memory)
felt = moves[0, :, :, 0].norm(dim=(1, 3))  # the same axes
wb.show.heat_map(
    felt,
    english,
    german,
    low=0,
    title="How strongly each target position feels the source",
    row_axis="result at this position",
    column_axis="source position that was nudged",
)

# %% [markdown]
# No, because every target position may look at all of the source. Had your layer given the causal
# mask to the cross-attention, you'd have got an error, since a mask of 5 by 5 doesn't fit scores of
# 5 by 4. With five German words there would be no error, only a triangle here.
#
# ## The stacks
#
# Before we stack the layers, remember lesson 03, where we saw how large the numbers are after each
# layer, with either order of add and norm. Which needs one more norm at its end, a stack of
# post-norm or of pre-norm layers?

# %% name="guess-last-norm"
needs_a_last_norm = None  # "post-norm" or "pre-norm"

# %% name="reveal-last-norm"
wb.reveal(needs_a_last_norm)

# %% [markdown]
# A post-norm layer ends in a norm, so its numbers have a standard deviation of 1, until gamma and
# beta learn to change it. A pre-norm layer ends in a sum that isn't normalized, so the numbers grow
# from layer to layer, and we give a pre-norm stack a last `LayerNorm`. In a post-norm stack we put
# `nn.Identity()` in its place, which returns its input unchanged.
#
# (`torch.nn.Transformer` has a last norm in both cases, although in post-norm the paper's model has
# none, and neither has ours.)
#
# Fill the three blanks.

# %% answer="Encoder"

# %% check="Encoder"

# %% [markdown]
# Stuck? The blanks are called `encoder_layers`, `encoder_norm` and `encoder_pass`.

# %% name="hint-encoder"
wb.hint("encoder_norm")

# %% [markdown]
# The decoder's stack is built alike, so only its loop is left for you, with one blank.

# %% answer="Decoder"

# %% check="Decoder"

# %% name="hint-decoder-stack"
wb.hint("decoder_pass")

# %% [markdown]
# ### Nothing is ever replaced
#
# How does a layer find what a much earlier one has written? In a pre-norm stack, each position has
# one vector that runs from bottom to top, often called the **residual stream**. Every sublayer
# reads it and *adds* something to it, and none replaces it, so the vector at the top is the one at
# the bottom, plus everything that was written on the way. That is also why the results of all
# sublayers have the same width.
#
# If we run four encoder layers (and leave out the stack's last norm), how many things are added?

# %% name="guess-things-added"
things_added = None

# %% name="residual-stream"
torch.manual_seed(0)
layer_class = wb.use("EncoderLayer")
layers = [layer_class(64, 4, 256, norm_first=True).eval() for _ in range(4)]
written = []
for part in nn.ModuleList(layers).modules():
    if type(part).__name__ in ("MultiHeadAttention", "PositionwiseFeedForward"):
        part.register_forward_hook(lambda module, given, output: written.append(output))
x = arrived = torch.randn(1, 5, 64)
with torch.no_grad():
    for layer in layers:
        arrived = layer(arrived)
difference = (x + sum(written) - arrived).abs().max().item()
wb.reveal(things_added)
print(len(written), "things were added; largest difference:", difference)

# %% [markdown]
# Each layer adds two things, so there are eight, and with `x` they sum up to the result. With
# post-norm the sum is rescaled after each addition, so there is no such stream.
#
# <details><summary>If you got fewer although your check passes</summary>
#
# The cell counts with **hooks**, functions that PyTorch calls each time a `MultiHeadAttention` or a
# `PositionwiseFeedForward` has run. A network that you built from other parts, such as an
# `nn.Sequential`, has no hook, so what it adds isn't counted. Nor is a call of `forward`, since
# PyTorch runs hooks only where the module itself is called, as in `self.feed_forward(y)`.
#
# </details>
#
# ## The same as PyTorch's?
#
# PyTorch has these layers ready-made, and with the same weights we must get the same numbers.
# `wb.copy_weights` copies the weights of your layer into PyTorch's, part by part, in the order in
# which your layer uses its parts.

# %% name="same-as-torch"
torch.manual_seed(0)
ours = wb.use("DecoderLayer")(12, 3, 20).eval()
theirs = nn.TransformerDecoderLayer(12, 3, 20, layer_norm_eps=1e-6, batch_first=True).eval()
wb.copy_weights(ours, theirs)
target, memory = torch.randn(2, 5, 12), torch.randn(2, 7, 12)
seen = wb.use("causal_mask")(5)
with torch.no_grad():
    mine = ours(target, memory, None, seen)
    # torch.nn's masks say the opposite of ours: True hides.
    torchs = theirs(target, memory, tgt_mask=~seen[0, 0])
print("largest difference:", (mine - torchs).abs().max().item())

# %% [markdown]
# The two differ by rounding alone, but we had to invert the mask, because in this place PyTorch's
# `True` means *hidden*, while ours means *may be seen* (lesson 06).
#
# ## Bug hunt
#
# Several networks whose votes we average usually err less than one alone, as long as they don't all
# make the same mistakes. Such an **ensemble** is the committee below, which a friend has put on top
# of an encoder and trained together with it. No error appears, and the result has the right shape,
# but ten members vote exactly as one would, and training has left their weights as they were. So
# there are **two bugs**, one behind each of these symptoms. Find and fix them.

# %% answer="bug_hunt_1"

# %% check="bug_hunt_1"

# %% [markdown]
# Stuck? There are hints for the bug hunt, too.

# %% name="hint-bug-hunt"
wb.hint("bug_hunt_1")

# %% [markdown]
# ## In your own words
#
# Answer in a few sentences each. Your instructor reads them.

# %% [markdown] question="1" points="2"
# **Question 1.** In cross-attention the decoder asks and the memory answers. A friend does it the
# other way round, so the memory asks, and the target is key and value. Source and target are
# equally long, so it runs. What does each row of the result then stand for, and what goes wrong
# with the causal rule, that no position may know what comes after it?

# %% [markdown] rubric="1"
# 1 point: the result has a row for each query, so each row belongs to a source position and holds
# a mixture of target positions; it is added to the row of a target position that it has nothing to
# do with but its number. 1 point: each source position may look at all target positions, later
# ones too (the source's mask hides padding only), so what comes later leaks into earlier rows: in
# training the model can copy the answer.

# %% [markdown] model="1"
# Each row belongs to a query, so now to a position of the source, and is a mixture of target
# positions. But it is added to the target position of the same number, with which it has nothing to
# do. And each source position may look at all target positions, because the source's mask hides
# padding only: later target tokens get into earlier rows, and in training the model can copy the
# answer.

# %% [markdown] question="2" points="2"
# **Question 2.** A friend loads the trained weights of a six-layer encoder in the wrong order,
# those of the last layer into the first, and so on. What still works, so that no error message
# appears? What breaks, and why wouldn't you have noticed it in a model that isn't trained yet?

# %% [markdown] rubric="2"
# 1 point: everything about shapes still works: all layers have the same sizes, so the weights fit,
# the number of parameters is the same, and the result has the right shape. 1 point: what breaks is
# what the model has learned: each layer was trained on what the layers below it write, and now gets
# something else; before training all layers hold random weights, so any order is as good as any
# other.

# %% [markdown] model="2"
# All shapes still fit: the six layers have the same sizes, so the weights load, the number of
# parameters is right, and so is the shape of the result. What is lost is what the model has
# learned, because each layer was trained on what the layers below it return, and now gets something
# different. In a model with random weights, one order is as good as another, so nobody would
# notice.

# %% [markdown]
# ## In its place
#
# Both halves of Figure 1 work, a stack that reads the source, and one that looks at the source
# while it writes. Here is the translator with both stacks wired by you:

# %% name="with-yours"
wb.translator.with_yours(
    "EncoderLayer", "DecoderLayer", "Encoder", "Decoder", sentences=(54, 45, 725, 31058)
)

# %% [markdown]
# At the bottom the stacks need vectors of words, which we have from lesson 05, and at the top
# something that turns vectors into words again. In lesson 08 you put all of it together into **the
# full model**. The lesson begins with the vectors that leave the translator's decoder for 725. Do
# you think you'll see which of them stands for "hundred"?

# %% name="progress"
wb.progress()
