import { expect, test } from "vitest";
import { withRelations } from "./notion-text.ts";

const ID = "0123456789abcdef0123456789abcdef";

test("properties of Notion that name pages become links, and nothing else does", () => {
  const text = `# Dune

Parent: Home (../Home%20${ID}.md), Site [1] (https://www.notion.so/Home-${ID}?pvs=21)
Rating: 5 (of 5)

Parent: Home (../Home%20${ID}.md)
`;
  expect(withRelations(text, ["Parent", "Rating"])).toBe(`# Dune

Parent: [Home](../Home%20${ID}.md), [Site \\[1\\]](https://www.notion.so/Home-${ID}?pvs=21)
Rating: 5 (of 5)

Parent: Home (../Home%20${ID}.md)
`);
});
