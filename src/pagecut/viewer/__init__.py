"""The local web app: pages as people see them, with what any method makes of them."""
