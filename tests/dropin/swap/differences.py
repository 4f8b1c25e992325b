"""The tests of Flask that differ, each with the sentence of the contract behind it."""

from __future__ import annotations

BY_VERB = (
    "Status: a tuple's; else status_code=; else by verb (GET HEAD OPTIONS TRACE"
    " CONNECT PATCH 200, POST PUT 201, DELETE 204); else the response class's."
)

#: Node identifier -> the sentence. A test that is named here and passes is an error,
#: and so is a name that Flask's suite does not have.
DIFFERENCES: dict[str, str] = {
    # A DELETE that answers text: 204 has no content.
    "tests/test_basic.py::test_method_route[delete]": BY_VERB,
    "tests/test_views.py::test_multiple_inheritance": BY_VERB,
    # A POST without a status of its own is expected to answer 200.
    "tests/test_testing.py::test_full_url_request": BY_VERB,
}
