import { expect, test } from "vitest";
import { describeNews } from "./describe-news.ts";

test.each([
  [["created"], 1, "Created"],
  [["changed"], 3, "Changed 3 times"],
  [["commented"], 2, "Commented on 2 times"],
  [["commented", "created"], 2, "Created and commented on"],
  [["changed", "commented", "created"], 5, "Created, changed and commented on"],
  [["answered"], 1, "Answered"],
] as const)("%j, %i times, is %j", (actions, count, words) => {
  expect(describeNews({ actions: [...actions], count, isDeleted: false })).toBe(words);
});

test("that it was deleted is all that counts", () => {
  expect(describeNews({ actions: ["created", "changed"], count: 2, isDeleted: true })).toBe("Deleted");
});
