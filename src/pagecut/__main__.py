"""python -m pagecut"""

from pagecut.cli import main

main()
