import { expect, test } from "vitest";
import { fingerprintOf, isNearlyEqual } from "./fingerprint.ts";

test.each([
  ["The project uses npm", "the project uses `npm`.", true],
  ["The project uses npm", "The project uses pnpm", false],
  ["Retries stop after 5 attempts", "Retries stop after 6 attempts", false],
  [
    "Configuration is read from src/config.ts at the start",
    "Configuration is read from src/setup.ts at the start",
    false,
  ],
  [
    "Deployments to staging need the VPN and two reviews",
    "A deployment to staging needs the VPN and two reviews",
    true,
  ],
])("“%s” and “%s”: %s", (one, other, areEqual) => {
  expect(isNearlyEqual(fingerprintOf(one, null), fingerprintOf(other, null))).toBe(areEqual);
});
