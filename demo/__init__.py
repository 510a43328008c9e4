"""The demo: twenty real decision records go in, the four kinds of question come out. `make demo` runs it."""
