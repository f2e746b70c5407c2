import { describe, expect, it } from "vitest";
import { keyProblemOf, actorName, toKey } from "./secret.ts";

describe("keyProblemOf", () => {
  it.each([
    ["", undefined],
    ["GITHUB_TOKEN", undefined],
    ["A1", undefined],
    ["1A", "It must start with a letter."],
    ["_A", "It must start with a letter."],
    ["GITHUB TOKEN", "Only capital letters, digits and _ are allowed."],
    ["A".repeat(256), "It must be at most 255 characters."],
    ["TAKEN", "A secret with this name already exists."],
  ])("of “%s” is %s", (key, problem) => {
    expect(keyProblemOf(key, new Set(["TAKEN"]))).toBe(problem);
  });
});

it("converts input to the format of names", () => {
  expect(["github token", "smtp-password", "a.b", "DONE_1"].map(toKey)).toEqual([
    "GITHUB_TOKEN",
    "SMTP_PASSWORD",
    "A_B",
    "DONE_1",
  ]);
});

it("names the actor", () => {
  expect(actorName("user:1", "1")).toBe("You");
  expect(actorName("user:2", "1")).toBe("Another user");
  expect(actorName("user:2", undefined)).toBe("Another user");
  expect(actorName("agent_run:0d3f6c1a-77aa-4b2e", "1")).toBe("Agent run 0d3f6c1a");
  expect(actorName("command line", "1")).toBe("command line");
});
