"""One module per contender; adding one is adding one file.

A contender is a module with

``TITLE``
    its name in the tables;
``DISTRIBUTIONS``
    the distributions whose versions are reported;
``IMPORT``
    what a program that uses it imports, for the start-up; ``None`` where it is what
    another contender imports;
``GATEWAY``
    :data:`benchmarks.gateway.WSGI` or :data:`benchmarks.gateway.ASGI`;
``UNABLE``
    the scenarios that it cannot do, each with the reason in one word;
``build()``
    the application that publishes :mod:`benchmarks.shop`;
``build_sections(count)``
    an application with that many equal routes, and nothing else;
``build_with_secret_key()`` and ``build_with_hooks()``
    where the shop is not an application of Flask: the shop that keeps sessions, signed
    with :data:`benchmarks.shop.SECRET_KEY`; and the one that reads
    :data:`benchmarks.shop.ID_HEADER` before each view and sends it back after it;
``build_catalogue(models)`` and ``DOCUMENT``
    for the start-up: an application with a route for each of these pairs of models, the
    one read and the other sent, which has a variable in its path and reads
    :class:`benchmarks.shop.Page` from the query; and the path of its OpenAPI document.
    ``None`` where a contender has no such thing;
``define_models(n)``
    where its models are not Pydantic's: such a pair.

Each does the same work: the constraints of the models hold on the way in, and fields
that a model does not have are dropped on the way out. What a framework leaves to its
user is written by hand here, in the fastest way that is still what its documentation
would have one write.

These modules do not postpone the evaluation of annotations: frameworks cannot resolve
the names of models that exist in a function only.
"""
