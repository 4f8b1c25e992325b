"""Types for TypeScript are generated from the description, and used."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from flask_signature import Flask

PROGRAM = """\
import type { components, operations, paths } from "./api";

type Book = components["schemas"]["Book"];
type Json<T> = T extends { content: { "application/json": infer J } } ? J : never;
type Answer<O extends keyof operations, S extends keyof operations[O]["responses"]> =
  Json<operations[O]["responses"][S]>;

export const show = (book: Answer<"catalogue_show_book", 200>): Book => book;
export const why = (answer: Answer<"catalogue_list_books", 422>): string =>
  answer.detail.map((failure) => failure.msg).join();
export const order: Json<
  NonNullable<operations["orders_place_order"]["requestBody"]>
> = {
  lines: [{ book_id: 1, quantity: 2 }],
  address: { name: "a", street: "b", postcode: "1", city: "c", country: "GB" },
};
export const query: operations["catalogue_list_books"]["parameters"]["query"] = {
  page: 1,
  tag: ["a"],
  sort: "-year",
};
export const path: keyof paths = "/books/{book_id}";
"""

#: A line that must not compile, and why.
MISTAKES = {
    "a misspelled field": 'export const x: Book = { titel: "a" } as const;',
    "another type": 'export const x: typeof query = { page: "1" };',
    "an unknown path": 'export const x: keyof paths = "/book";',
    "an unknown status": 'export type X = Answer<"catalogue_show_book", 418>;',
}


@pytest.fixture
def compile_program(
    bookshop: Flask,
    write_document: Callable[[Flask], Path],
    npx: Callable[..., str],
    tmp_path: Path,
) -> Callable[[str], str]:
    """Compiles a program that uses the types of the bookshop."""
    document, output = write_document(bookshop), tmp_path / "api.ts"
    # Otherwise a field with a default would have to be sent.
    npx("openapi-typescript", document, "-o", output, "--default-non-nullable=false")

    def run(program: str) -> str:
        path = tmp_path / "program.ts"
        path.write_text(program, encoding="utf-8")
        return npx("tsc", "--strict", "--noEmit", "--module", "esnext", path)

    return run


def test_types_are_those_of_the_operations(
    compile_program: Callable[[str], str],
) -> None:
    assert compile_program(PROGRAM) == ""


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake_is_found(compile_program: Callable[[str], str], mistake: str) -> None:
    with pytest.raises(AssertionError, match="error TS"):
        compile_program(PROGRAM + MISTAKES[mistake])
