"""Words that everyone writes in small letters: in them only capitals tell an acronym."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

#: Words of grammar. Alone they are nobody's name, whatever an ontology files under them.
FUNCTION_WORDS = frozenset(
    """a an the this that these those some any no every each all both either neither much many more most few less least other
    another such own same i me my mine myself you your yours yourself he him his himself she her hers herself it its itself we
    us our ours ourselves they them their theirs themselves one who whom whose which what when where why how there here
    am is are was were be been being have has had having do does did doing done will would shall should can could may might
    must ought need not and or but nor so yet if then else than as while because although though since until unless
    whether in on at by to of for from with without within into onto out off over under about above below between among
    through during before after against upon up down again once only very too also just even still ever never now
    per via let get got go goes went gone come came make made take took see saw say said""".split()
)


@cache
def everyday_words() -> dict[str, int]:
    """Frequent words in small letters, each with its rank: 0 is the most frequent."""
    text = (files("kgsan.text") / "everyday.txt").read_text("ascii")
    return {word: rank for rank, word in enumerate(text.split())}
