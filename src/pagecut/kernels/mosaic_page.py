# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What Mosaic knows of a page, from its columns to the features of its content tree.

Compiled into `pagecut.compiled.mosaic_page` (see `kernels`). One call instead of one for each step:
on most pages, the calls cost more than the steps. The plain twin is `mosaic_evidence`.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from pagecut.kernels import _cython as cython

if not cython.compiled:  # else compiled/mosaic_page.pxd has them as constants and C functions
    from pagecut.kernels._mosaic_marks import LINE_WIDTH, NODE_FEATURES, PAIR_FEATURES
    from pagecut.kernels.division import content_nodes
    from pagecut.kernels.mosaic import (
        count_alike,
        count_linked,
        find_tokens,
        read_children,
        read_texts,
        read_tree,
    )
    from pagecut.kernels.mosaic_features import node_rows, pair_rows, read_gaps
    from pagecut.kernels.names import number_looks, read_rows
    from pagecut.page.tokenizer import atomic_ranges, wrap_ranges

REVISION = 6  # see `acceleration`


class MosaicPage:
    """A page on its way from columns to features.

    Args:
        learnt: `Learnt`.
        packed: `PackedNodes`.
        link: code of the tag <a>.
        tag_bits: the bits of each tag.
        attributes: as `AttributeTable.packed` gives them for id, class and role.
        layout: (m, f) further features of the nodes of the content tree, if there are any.
        pair_layout: (m, g) the same for each node and the sibling before it.
        room: as `mosaic_compiled` makes it.
    """

    def __init__(
        self,
        learnt: object,
        text: str,
        classes: cython.const[cython.uchar][::1],
        packed: object,
        link: cython.int,
        tag_bits: cython.const[cython.longlong][::1],
        attributes: tuple,
        layout: cython.const[cython.double][:, ::1],
        pair_layout: cython.const[cython.double][:, ::1],
        room: tuple,
    ) -> None:
        numbers: cython.const[cython.int][::1] = packed[0]
        bytes_: cython.const[cython.uchar][::1] = packed[1]
        rows: cython.Py_ssize_t = packed[2]
        leaves: cython.Py_ssize_t = packed[3]
        pairs: cython.int[:, ::1] = room[1]
        flat_pairs: cython.int[::1] = room[2]  # the same memory
        self.learnt = learnt
        self.text = text
        self.classes = classes
        self.tag = numbers[0:rows]
        self.above = numbers[rows : 2 * rows]
        self.subtree_end = numbers[2 * rows : 3 * rows]
        self.depth = numbers[3 * rows : 4 * rows]
        self.start = numbers[5 * rows : 6 * rows]
        self.end = numbers[6 * rows : 7 * rows]
        self.kind = bytes_[0:rows]
        self.leaves = leaves
        self.link = link
        self.tag_bits = tag_bits
        self.owners, self.keys, self.ends, self.values, self.names = attributes
        self.layout = layout
        self.pair_layout = pair_layout
        self.ints = room[0]
        self.out_spans = pairs[0:leaves]
        self.spans = pairs[leaves : 2 * leaves]
        self.lines = pairs[2 * leaves :]
        self.line_edges = flat_pairs[4 * leaves :]
        self.longs = room[3]
        self.doubles = room[4]
        self.flags = room[5]
        self.facts = room[6]
        self.table = room[7]
        self.most = min(rows, 2 * leaves)  # nodes: all inner ones have two children at least
        self.used_ints = 0
        self.used_longs = 0
        self.used_doubles = 0
        self.out_labels = self.take_ints(leaves)
        self.outer = self.take_ints(2 * leaves)
        self.role = self.take_ints(2 * leaves)
        self.confidence = self.take_doubles(2 * leaves)
        self.work = self.take_ints(3 * rows + 8 * leaves + 2)

    def take_ints(self, size: cython.Py_ssize_t) -> cython.int[::1]:
        self.used_ints += size
        if self.used_ints > self.ints.shape[0]:
            raise MemoryError("ints")
        return self.ints[self.used_ints - size : self.used_ints]

    def take_longs(self, size: cython.Py_ssize_t) -> cython.longlong[::1]:
        self.used_longs += size
        if self.used_longs > self.longs.shape[0]:
            raise MemoryError("longs")
        return self.longs[self.used_longs - size : self.used_longs]

    def take_doubles(self, size: cython.Py_ssize_t) -> cython.double[::1]:
        self.used_doubles += size
        if self.used_doubles > self.doubles.shape[0]:
            raise MemoryError("doubles")
        return self.doubles[self.used_doubles - size : self.used_doubles]

    def read(self) -> cython.Py_ssize_t:
        """Gather the facts about the content tree; how many nodes it has."""
        rows: cython.Py_ssize_t = self.kind.shape[0]
        work: cython.int[::1] = self.work
        count: cython.Py_ssize_t
        size: cython.Py_ssize_t = 1
        top: cython.int[::1] = self.take_ints(self.most)
        row: cython.int[::1] = self.take_ints(self.most)
        parent: cython.int[::1] = self.take_ints(self.most)
        previous: cython.int[::1] = self.take_ints(self.most)
        class_starts: cython.int[::1] = self.take_ints(rows)
        class_ends: cython.int[::1] = self.take_ints(rows)
        count = content_nodes(
            self.kind, self.above, self.subtree_end, work, top, row, parent, previous
        )
        if count == 0:
            return 0
        self.top = top[0:count]
        self.row = row[0:count]
        self.parent = parent[0:count]
        self.previous = previous[0:count]
        self.bits = self.take_longs(rows)
        read_rows(
            self.kind,
            self.tag,
            self.tag_bits,
            self.owners,
            self.keys,
            self.ends,
            self.values,
            self.names[0],
            self.names[1],
            self.names[2],
            self.learnt.letters,
            self.learnt.words,
            self.learnt.word_bits,
            self.learnt.stems,
            self.learnt.stem_bits,
            self.bits,
            class_starts,
            class_ends,
        )
        while size <= 2 * count:
            size *= 2
        self.look = self.take_ints(count)
        number_looks(
            self.values,
            class_starts,
            class_ends,
            self.tag,
            self.top,
            self.learnt.seed,
            work[0:size],
            self.look,
        )
        self.read_text()
        self.chain = self.take_longs(count)
        self.inside = self.take_longs(count)
        read_tree(
            self.top,
            self.row,
            self.parent,
            self.previous,
            self.above,
            self.subtree_end,
            self.bits,
            work[0 : rows + 1],
            work[rows + 1 : 2 * rows + 2],
            self.chain,
            self.inside,
            self.facts,
        )
        read_children(self.parent, self.chain, self.learnt.logs, self.facts)
        count_alike(
            self.parent,
            self.previous,
            self.look,
            work[0:count],
            work[count : 2 * count],
            self.facts,
        )
        return count

    def read_text(self) -> cython.Py_ssize_t:
        """Begin the facts by the tokens and lines; find the tags between neighbours."""
        length: cython.Py_ssize_t = len(self.text)
        leaves: cython.Py_ssize_t = self.leaves
        token_starts: cython.int[::1] = self.take_ints(length)
        linked_before: cython.int[::1] = self.take_ints(length + 1)
        tokens_before_line: cython.int[::1] = self.take_ints(self.lines.shape[0] + 1)
        leaf_rows: cython.int[::1] = self.take_ints(leaves)
        edges: cython.int[::1] = self.work[0 : leaves + 1]
        tokens: cython.Py_ssize_t = find_tokens(self.text, self.classes, token_starts)
        blocks: cython.Py_ssize_t = atomic_ranges(
            self.classes,
            self.kind,
            self.tag,
            self.subtree_end,
            self.start,
            self.end,
            self.link,
            self.work,
            self.spans,
        )
        blocks = wrap_ranges(
            self.text,
            self.classes,
            self.spans[0:blocks],
            min(LINE_WIDTH, 3 * length),
            self.lines,
            tokens_before_line,
            edges,
        )
        leaves = count_linked(
            self.kind,
            self.subtree_end,
            self.start,
            self.bits,
            token_starts[0:tokens],
            linked_before,
            leaf_rows,
        )
        read_texts(
            self.row,
            self.start,
            self.end,
            token_starts[0:tokens],
            linked_before,
            self.line_edges[0 : 2 * edges[blocks]],
            tokens_before_line,
            self.facts,
        )
        self.gaps = self.take_ints(self.row.shape[0])
        read_gaps(
            self.kind,
            self.above,
            self.subtree_end,
            self.start,
            self.end,
            self.bits,
            leaf_rows[0:leaves],
            self.row,
            self.previous,
            self.gaps,
        )
        return 0

    def fill_nodes(
        self, which: cython.const[cython.int][::1], table: cython.double[:, ::1]
    ) -> None:
        """The features of some nodes, one row for each."""
        row: cython.Py_ssize_t
        at: cython.Py_ssize_t
        node_rows(
            which,
            self.top,
            self.parent,
            self.depth,
            self.chain,
            self.facts,
            self.learnt.logs,
            table,
        )
        for row in range(which.shape[0]):
            for at in range(self.layout.shape[1]):
                table[row, NODE_FEATURES + at] = self.layout[which[row], at]

    def fill_pairs(
        self, which: cython.const[cython.int][::1], table: cython.double[:, ::1]
    ) -> None:
        """The features of some nodes and the siblings before them, one row for each pair."""
        row: cython.Py_ssize_t
        at: cython.Py_ssize_t
        pair_rows(
            which,
            self.top,
            self.parent,
            self.previous,
            self.tag,
            self.gaps,
            self.look,
            self.chain,
            self.facts,
            self.learnt.logs,
            table,
        )
        for row in range(which.shape[0]):
            for at in range(self.pair_layout.shape[1]):
                table[row, PAIR_FEATURES + at] = self.pair_layout[which[row], at]
