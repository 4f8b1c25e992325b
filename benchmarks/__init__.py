"""How fast the signature of a view is, beside the other ways to write the same view.

``python -m benchmarks`` measures and writes ``benchmarks/results/`` and the tables of
``benchmarks/README.md``; ``python -m benchmarks.sockets`` measures over sockets, and
``python -m benchmarks.instructions`` counts instructions.
"""
