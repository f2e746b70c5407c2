import { expect, test } from "vitest";
import { findExcerpt } from "./excerpt.ts";

const NOTE = `---
tags: [roses, garden]
author: Ada
---

# Roses

> [!tip] Cutting
> Cut the **roses** in [[March]], see [the plan](https://example.org/plan).

| Month | Work |
|---|---|
| June | Water |
`;

test("an excerpt is of the text, without markup, even if the frontmatter has the word before it", async () => {
  const excerpt = await findExcerpt(NOTE, ["roses"]);
  expect(excerpt).toBe("Roses Cutting Cut the roses in March, see the plan. Month Work June Water");
});

test("it begins shortly before the first of the words", async () => {
  const text = `${"before ".repeat(50)}**found** here ${"after ".repeat(50)}`;
  const excerpt = (await findExcerpt(text, ["missing", "found"])) ?? "";
  expect(excerpt).toMatch(/^… (?:\w+ ){4,6}found here after .* …$/);
  expect(excerpt.length).toBeLessThan(180);
});

test("a word that is only in the frontmatter, or in the target of a link, is shown with what is around it", async () => {
  expect(await findExcerpt(NOTE, ["ada"])).toContain("author: Ada");
  expect(await findExcerpt(NOTE, ["example.org"])).toContain("Cut the roses");
  expect(await findExcerpt(NOTE, ["nowhere"])).toBeNull();
});
