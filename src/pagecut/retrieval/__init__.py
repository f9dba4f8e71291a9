"""Search pages by their blocks, with queries expanded from the best blocks.

Cai, Yu, Wen & Ma, "Extracting Content Structure for Web Pages Based on Visual Representation",
APWeb 2003, §5.2: a page has several topics and much noise, so that its blocks are the better source
of terms to expand a query with.

`blocks` gives the blocks of pages, `index` makes and opens an index of them, `search` ranks,
`expansion` chooses new terms, `trec` measures.
"""
