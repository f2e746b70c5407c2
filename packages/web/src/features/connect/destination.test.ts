import { expect, test } from "vitest";
import { describeDestination } from "./destination.ts";

test.each([
  ["http://localhost:3456/callback", "A program on this computer will receive its key, at localhost:3456."],
  ["http://[::1]:80/cb", "A program on this computer will receive its key, at [::1]."],
  ["https://example.com/cb?localhost", "The site example.com will receive its key."],
  ["https://localhost.example.com/", "The site localhost.example.com will receive its key."],
  [
    "cursor://callback/x",
    "The program on this computer that opens addresses beginning with cursor: will receive its key.",
  ],
])("%s", (redirectUri, description) => {
  expect(describeDestination(redirectUri)).toBe(description);
});
