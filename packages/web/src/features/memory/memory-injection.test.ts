import { expect, it } from "vitest";
import { describeOccasion, describeUse, type Injection } from "./memory-injection.ts";

const injection: Injection = {
  sessionId: "s",
  reason: "prompt",
  subject: "Why is staging slow? ",
  tokens: 120,
  givenAt: "2026-11-20T10:00:00.000Z",
  usedAt: null,
  isUseVisible: true,
  notUsefulAt: null,
};

it("says for what a memory was given", () => {
  expect(describeOccasion(injection)).toBe("With the prompt “Why is staging slow?”");
  expect(describeOccasion({ ...injection, reason: "file", subject: "src/a.ts" })).toBe("When src/a.ts was opened");
  expect(describeOccasion({ ...injection, reason: "session_start", subject: null })).toBe(
    "At the start of the session",
  );
});

it("says whether it was used, as far as that can be known", () => {
  expect(describeUse({ ...injection, usedAt: injection.givenAt }).label).toBe("Used");
  expect(describeUse(injection).label).toBe("Not used");
  expect(describeUse({ ...injection, isUseVisible: false }).label).toBe("Use unknown");
});
