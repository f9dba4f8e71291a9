from pagecut.content.lines.lexicon import Lexicon
from pagecut.content.lines.table import Lines
from pagecut.page import Page

def read_blocks(lines: Lines, page: Page, names: Lexicon) -> None: ...
