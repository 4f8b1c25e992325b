"""The comparison of ``docs/comparison.md``, found out by asking each library.

``python -m benchmarks.comparison`` builds one application for each library, asks it
what the tables of the page say, and prints the cells that are not true. A library is
one module in :mod:`benchmarks.comparison.peers`; a column is one :class:`Question`.
"""
