import { describe, expect, it } from "vitest";
import { keyProblemOf, sayActor, toKey } from "./secret.ts";

describe("keyProblemOf", () => {
  it.each([
    ["", undefined],
    ["GITHUB_TOKEN", undefined],
    ["A1", undefined],
    ["1A", "It must start with a letter."],
    ["_A", "It must start with a letter."],
    ["GITHUB TOKEN", "Only capital letters, digits and _ are possible."],
    ["A".repeat(256), "It must be at most 255 characters."],
    ["TAKEN", "There is a secret with this name."],
  ])("of “%s” is %s", (key, problem) => {
    expect(keyProblemOf(key, new Set(["TAKEN"]))).toBe(problem);
  });
});

it("writes what is typed as names are written", () => {
  expect(["github token", "smtp-password", "a.b", "DONE_1"].map(toKey)).toEqual([
    "GITHUB_TOKEN",
    "SMTP_PASSWORD",
    "A_B",
    "DONE_1",
  ]);
});

it("says who it was", () => {
  expect(sayActor("user:1", "1")).toBe("You");
  expect(sayActor("user:2", "1")).toBe("Another user");
  expect(sayActor("user:2", undefined)).toBe("Another user");
  expect(sayActor("agent_run:0d3f6c1a-77aa-4b2e", "1")).toBe("Agent run 0d3f6c1a");
  expect(sayActor("command line", "1")).toBe("command line");
});
