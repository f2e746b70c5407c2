import { expect, it } from "vitest";
import { joinTexts } from "./join-texts.ts";

it("adds what was written at the end of a text that began otherwise, once", () => {
  const joined = joinTexts("", "Mine\nand more", "Theirs\n");
  expect(joined).toBe("Theirs\nMine\nand more");
  expect(joinTexts("", "Mine\nand more", joined)).toBe(joined);
  expect(joinTexts("", "Mine", "Theirs")).toBe("Theirs\nMine");
  expect(joinTexts("", "Mine", "")).toBe("Mine");
  expect(joinTexts("", "Mine", "Mineral water\n")).toBe("Mineral water\nMine");
});

it("adds what was written in its place if both began with the same", () => {
  const beginning = "# Day\n\n## Plans\n\n## Done\n";
  const mine = "# Day\n\n## Plans\n- rest\n\n## Done\n";
  expect(joinTexts(beginning, mine, "# Day\n\n## Plans\n\n## Done\n- work\n")).toBe(
    "# Day\n\n## Plans\n- rest\n\n## Done\n- work\n",
  );
});

it("adds only what was written if both have written at the same place", () => {
  expect(joinTexts("# Day\n", "# Day\nMine", "# Day\nTheirs")).toBe("# Day\nTheirs\nMine");
});

it("adds nothing if nothing was written", () => {
  expect(joinTexts("# Day\n", "# Day\n", "Theirs")).toBe("Theirs");
  expect(joinTexts("", "\n", "Theirs")).toBe("Theirs");
});
