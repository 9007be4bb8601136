"""More than two hundred texts that would be scripts if a page ever took them for anything but texts."""

PAYLOADS = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<details open ontoggle=alert(1)>x</details>",
    "<input autofocus onfocus=alert(1)>",
    "<a href=javascript:alert(1)>x</a>",
    "<style>*{display:none}</style>",
    "<base href=//evil.example/>",
    "<meta http-equiv=refresh content=0;url=//evil.example>",
    "<object data=//evil.example></object>",
    "<math><mtext></mtext><mglyph><svg onload=alert(1)></math>",
    "javascript:alert(1)",
    "${alert(1)}",
    "{{constructor.constructor('alert(1)')()}}",
    "{{7*7}}",
    "\\u003cscript\\u003e",
)
BREAKOUTS = (
    "",
    '">',
    "'>",
    "-->",
    "</title>",
    "</textarea>",
    "</script>",
    "</svg>",
    "]]>",
    '" autofocus x="',
    "\\",
    "&lt;",
)
HOSTILE = [f"{breakout}{payload}" for payload in PAYLOADS for breakout in BREAKOUTS]
