"""Types for TypeScript are generated from the description, and used."""

from __future__ import annotations

import typing as t
from collections.abc import Callable
from pathlib import Path

import pytest
from contract.features import make_app

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
export const conflict: Answer<"catalogue_add_book", 409> = { message: "It is there." };
type Added = operations["catalogue_add_book"]["responses"][201]["headers"];
export const location: Added["Location"] = "/books/1";
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
    "an error that is none": 'export const x: typeof conflict = { reason: "a" };',
    "another type of a header": "export const x: typeof location = 1;",
    "an unknown status": 'export type X = Answer<"catalogue_show_book", 418>;',
}


#: A program that reads each status, header and error of the shop by its own type.
SHOP: t.Final = """\
import type { components, operations } from "./api";

type Shop = { [K in keyof operations as K extends `shop_${infer N}` ? N : never]:
  operations[K] extends { responses: infer R } ? R : never };
type Json<T> = T extends { content: { "application/json": infer J } } ? J : never;
type Problem = components["schemas"]["Problem"];
type Message = components["schemas"]["HTTPErrorMessage"];
type Book = components["schemas"]["Book"];

export const shown = (book: Json<Shop["show_book"][200]>): Book => book;
export const part = (books: Json<Shop["find_books"][206]>): Book[] => books;
export const missing = (why: Json<Shop["show_book"][404]>): Problem | Message => why;
export const taken = (why: Json<Shop["add_book"][409]>): string =>
  "reason" in why ? why.reason : String(why.message);
export const sold = (why: Json<Shop["order_book"][409]>): string =>
  why.sold_out;
export const refused = (why: Json<Shop["add_book"][422]>): string[] =>
  why.detail.map((failure) => failure.msg);

export const added = (headers: Shop["add_book"][201]["headers"]): string[] =>
  [headers.Location, headers["Last-Modified"]];
export const total = (headers: Shop["find_books"][206]["headers"]): number =>
  headers["X-Total"];
export const isAll = (headers: Shop["find_books"][206]["headers"]): boolean =>
  headers["X-Complete"];
export const link = (headers: Shop["find_books"][206]["headers"]): string | undefined =>
  headers.Link;
export const wait = (headers: Shop["add_book"][429]["headers"]): number =>
  headers["Retry-After"] ?? 0;
export const change: components["schemas"]["BookChange"] = { year: null };
"""

SHOP_MISTAKES = {
    "a body for 204": 'export const x = (r: Shop["remove_book"][204]) => r.content.x;',
    "the model of another status": "export const x: typeof shown = (p: Problem) => p;",
    "a status that is not named": 'export type X = Shop["add_book"][410];',
    "a header of another type": "export const x: (h: never) => string = total;",
    "a header that may be absent": "export const x: (h: never) => string = link;",
    "a null that is refused": "export const x: typeof change = { title: null };",
}


#: The programs that use the types of an application, by what they get wrong.
Compile: t.TypeAlias = Callable[[Flask, "dict[str, str]"], set[str]]


@pytest.fixture
def compile_for(
    write_document: Callable[[Flask], Path], npx: Callable[..., str], tmp_path: Path
) -> Compile:
    """Compiles programs, and gives the names of those that have errors."""

    def run(app: Flask, programs: dict[str, str]) -> set[str]:
        document, output = write_document(app), tmp_path / "api.ts"
        # Otherwise a field with a default would have to be sent.
        option = "--default-non-nullable=false"
        npx("openapi-typescript", document, "-o", output, option)
        paths = {}
        for number, (name, program) in enumerate(programs.items()):
            paths[name] = tmp_path / f"program{number}.ts"
            paths[name].write_text(program, encoding="utf-8")
        try:
            npx("tsc", "--strict", "--noEmit", "--module", "esnext", *paths.values())
        except AssertionError as error:
            found = str(error)
            return {name for name in paths if f"{paths[name].name}(" in found}
        return set()

    return run


def wrong(program: str, mistakes: dict[str, str]) -> dict[str, str]:
    """A program with each of the mistakes, by what is wrong."""
    return {name: program + mistake for name, mistake in mistakes.items()}


def test_types_are_those_of_the_operations(bookshop, compile_for):
    programs = {"": PROGRAM, **wrong(PROGRAM, MISTAKES)}
    assert compile_for(bookshop, programs) == {*MISTAKES}


def test_types_know_statuses_headers_and_errors(compile_for: Compile) -> None:
    app = make_app(routes=1, SIGNATURE_ERROR_FORMAT="pydantic2")
    programs = {"": SHOP, **wrong(SHOP, SHOP_MISTAKES)}
    assert compile_for(app, programs) == {*SHOP_MISTAKES}
