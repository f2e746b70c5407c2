import * as fc from "fast-check";
import { expect, it } from "vitest";
import { baseCondition } from "./base-expression.ts";
import { readBaseFile } from "./base-file.ts";
import { parseQuery } from "./query-language.ts";

it("reads the views of a base as queries", () => {
  const text = `
filters:
  and:
    - file.hasTag("book")
    - or:
        - 'status != "done"'
        - note["due date"] < today() + "7d"
views:
  - type: table
    name: Unread
    filters: 'rating >= 4 && !author.isEmpty()'
    order: [file.name, note.author, rating, due date]
    sort:
      - property: note.rating
        direction: DESC
      - property: file.mtime
    groupBy: { property: author, direction: ASC }
    limit: 20
  - type: cards
    name: Covers
    order: [file.name, formula.cover]
formulas:
  cover: image(cover)
`;
  const shared = 'where (tags = "book" and (property.status != "done" or "property.due date" < today + 7d))';
  expect(readBaseFile(text)).toEqual([
    {
      name: "Unread",
      query: [
        "from notes",
        shared,
        "where property.rating >= 4 and not (property.author is empty)",
        "sort property.rating desc, modified",
        "group property.author",
        'columns name, property.author, property.rating, "property.due date"',
        "limit 20",
        "show table",
      ].join("\n"),
      unsupported: ["formulas"],
    },
    {
      name: "Covers",
      query: ["from notes", shared, "columns name", "limit 500", "show table"].join("\n"),
      unsupported: ["the layout “cards”: it is shown as a table", "formulas", "the field “formula.cover”"],
    },
  ]);
});

it.each([
  ['file.inFolder("Books")', 'folder = "Books"'],
  ['file.hasTag("a", "b")', '(tags = "a" or tags = "b")'],
  ['file.hasLink(link("Dune"))', 'links = "Dune"'],
  ['file.hasProperty("rating")', "property.rating is not empty"],
  ['file.ext == "md" && rating > 3', "property.rating > 3"],
  ['file.ext == "md"', ""],
  ['file.tags.contains("a")', 'tags = "a"'],
  ['file.mtime > now() - "1 week"', "modified > today - 1w"],
  ['date == date("2026-11-26")', "property.date = 2026-11-26"],
  ['tags.containsAny("a", "b")', '(property.tags contains "a" or property.tags contains "b")'],
  [
    "(a == 1 || b == -2) && done",
    "((property.a = 1 or property.b = -2)) and property.done is not empty and not property.done = false",
  ],
])("understands %s", (expression, condition) => {
  expect(baseCondition(expression)).toBe(condition);
  expect(parseQuery(condition === "" ? "" : `where ${condition}`)).toHaveProperty("query");
});

it.each([
  'file.ext == "pdf"',
  "price * 2 > 3",
  "a.map(value)",
  "file.hasTag(x)",
  'a == "b',
  "(a",
  "this.file.name == 1",
  'file.folder == "a"',
  "",
])("says that it does not know %s", (expression) => {
  expect(baseCondition(expression)).toBeNull();
});

it("does not show a view of which a condition is unknown", () => {
  expect(readBaseFile('views: [{ type: table, name: V, filters: "a * 2 > 1" }]')).toEqual([
    { name: "V", query: null, unsupported: ["the condition “a * 2 > 1”"] },
  ]);
  expect(readBaseFile("filters: 'file.name < \"b\"'")).toMatchObject([
    { query: null, unsupported: ['the condition “file.name < "b"”'] },
  ]);
  expect(readBaseFile("filters: { not: [ 'file.ext == \"md\"' ] }")).toMatchObject([{ name: "View 1", query: null }]);
});

it("says of what is no base that it is none", () => {
  expect(readBaseFile("- a")).toBeNull();
  expect(readBaseFile("a: [")).toBeNull();
});

it("makes queries that can be read, of any expression", () => {
  const pieces = fc.constantFrom(
    "a",
    "file.name",
    ".contains(",
    '"b"',
    ")",
    "(",
    "!",
    "&&",
    "||",
    "==",
    "<",
    "1",
    "today()",
    ",",
    "[",
    "]",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const condition = baseCondition(parts.join(" "));
      return condition === null || condition === "" || "query" in parseQuery(`where ${condition}`);
    }),
    { numRuns: 3_000 },
  );
});

it("treats YAML that would take long to read as no such file", () => {
  expect(readBaseFile(`filters: ${"&]".repeat(40_000)}`)).toBeNull();
  const views = Array.from({ length: 600 }, (_, number) => `  - type: table\n    name: View ${number}\n`);
  expect(readBaseFile(`views:\n${views.join("")}`)).toHaveLength(50);
  expect(readBaseFile(`views:\n${views.join("").repeat(3)}`)).toBeNull();
});
