"""Pictures: pages, segments and curves drawn as SVG or PNG."""
