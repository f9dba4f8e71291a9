"""The kernels that look for items and judge images, compiled or not (see `acceleration`)."""

from __future__ import annotations

from typing import Final

from pagecut.acceleration import is_compiled, load_together

(
    attribute_kernels,
    item_kernels,
    column_kernels,
    part_kernels,
    search_kernels,
    context_kernels,
    word_kernels,
    intricate_kernels,
    said_kernels,
    beginning_kernels,
    address_kernels,
    name_kernels,
    surroundings_kernels,
    role_kernels,
    control_kernels,
    method_kernels,
) = load_together(
    "attributes",
    "items",
    "item_columns",
    "item_parts",
    "item_search",
    "item_contexts",
    "words",
    "intricate",
    "said_words",
    "text_beginning",
    "addresses",
    "image_names",
    "image_surroundings",
    "image_role",
    "item_controls",
    "item_method",
)
COMPILED: Final = is_compiled(item_kernels)
