"""Texts with which a student could break out of the place where a page shows them."""

MARKUP = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</td></tr></table></details></div><h1>broken out</h1>",
    "<!-- ",
    "&lt;b&gt;",
    "' onmouseover='alert(1)",
    "</summary><style>*{display:none}</style>",
]
CONTROLS = ["\x1b[31mred\x1b[0m", "\x00", "\u202eesrever", "\x07", "a\x08b"]
SCRIPT = "<script>document.title = 'forged'</script>"
FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "＝1+1", ' "=1']  # which a spreadsheet would compute
