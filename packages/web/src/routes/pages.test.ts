import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { PAGES } from "./pages.ts";

/** Pages with a frame that the navigation does not list with the others. */
const OTHERS = ["Deleted", "Settings"];

test("the script before the first paint knows the title of each page", async () => {
  const script = await readFile(new URL("../../public/first-paint.js", import.meta.url), "utf8");
  const [, titles = ""] = /"([A-Z]\w+(?: [A-Z]\w+)+)"/.exec(script) ?? [];
  const [home, ...pages] = PAGES;
  expect(home?.title).toBe("Home");
  expect(titles.split(" ")).toEqual([...pages.map(({ title }) => title), ...OTHERS]);
  for (const { path, title } of pages) expect(path).toBe(`/${title.toLowerCase()}`);
});
