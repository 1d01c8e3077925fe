"""Puts markup, formulas and control characters where somebody will read them."""


# %% scaled_dot_product_attention
def scaled_dot_product_attention(*_, **__):
    raise ValueError(
        "=cmd|' /C calc'!A0\n</pre><script>alert(1)</script>\x1b[31m\r\n,,,12,12,passed"
    )
