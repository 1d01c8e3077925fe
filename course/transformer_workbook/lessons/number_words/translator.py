"""A small trained translator of German number words, to play with, to look into and to break.

wb.translator.translate("siebenhundertfünfundzwanzig")
wb.translator.translate(54, without="positions")
wb.translator.compare(54, 45, without="positions")
wb.translator.attention(725)             # where it looks, as a picture
wb.translator.explorer()                 # all of this as a widget
wb.translator.with_yours("LayerNorm")    # your part in place of a stand-in, its weights trained

It is the course's own model, with weights that come with the package and nothing to download.
"""

from .knock_outs import KNOCK_OUTS
from .looking import before_a_norm, before_the_words, inside_cross_attention, next_words
from .measuring import compare, with_yours
from .playing import attention, explorer, heads, translate
from .recurrent import bottleneck

__all__ = [
    "KNOCK_OUTS",
    "attention",
    "before_a_norm",
    "before_the_words",
    "bottleneck",
    "compare",
    "explorer",
    "heads",
    "inside_cross_attention",
    "next_words",
    "translate",
    "with_yours",
]
