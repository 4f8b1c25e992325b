"""One module per library that is compared.

A module has

``TITLE``
    its name in the tables;
``DISTRIBUTION`` and ``INPUT``
    what is installed, and what declares the input of a view;
``MODELS`` and ``EXTRAS``
    what its models are; and the extras without which it does nothing here;
``CONTENDER``
    its name in the results of :mod:`benchmarks`, ``None`` if it is not measured;
``GATEWAY``
    :data:`benchmarks.gateway.WSGI` or :data:`benchmarks.gateway.ASGI`;
``DOCUMENT`` and ``PAGE``
    the paths of its OpenAPI document and of its interactive page, ``None`` without;
``build()``
    the application that is asked, see below;
``build_mistake()``
    an application whose view has no argument for ``/items/<int:item_id>``;
``override(app, value)``
    where dependencies can be replaced: the one of ``/session`` gives this value;
``CREDENTIALS``
    where it is not ``Bearer`` and :data:`benchmarks.comparison.values.TOKEN`: the
    header with which ``/private`` may be called.

An application has these routes, each written as the documentation of the library has
one write it. It leaves out what the library has nothing for.

``POST /orders``
    reads ``page`` from the query, the header ``X-Count``, the cookie ``size`` and an
    item from JSON, and sends what it was able to read;
``POST /notes`` and ``POST /photos``
    read ``n`` from a form, and a file;
``/extra``, ``/wrong`` and ``/gone``
    declare the model ``Item``, and for 404 the model ``Problem``; return a field that
    the model does not have, a value that it refuses, and such a 404. The same below
    ``/opted`` are those with an option, where that makes a difference;
``/events``
    sends items as server-sent events;
``/class`` and ``/async``
    read ``page`` in a class-based and in an asynchronous view;
``/session`` and ``/private``
    need a dependency that is closed, and a bearer token.
"""
