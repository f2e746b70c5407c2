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
  [
    "Invoices are kept for seven years after the customer has left",
    "Invoices are kept for ten years after the customer has left",
    false,
  ],
  [
    "Invoices are kept for seven years after the customer has left",
    "Each invoice has to be kept for 7 years after the customer left",
    true,
  ],
  [
    "The staging cluster of the shop is called orion and restarts each night",
    "The staging cluster of the shop is called sirius and restarts each night",
    false,
  ],
  [
    "Die Sitzung eines angemeldeten Kunden läuft nach neun Tagen ohne Anmeldung ab",
    "Die Sitzung eines angemeldeten Kunden läuft nach vierzehn Tagen ohne Anmeldung ab",
    false,
  ],
  [
    "Die Sitzung eines angemeldeten Kunden läuft nach einundzwanzig Tagen ohne Anmeldung ab",
    "Die Sitzung des angemeldeten Kunden läuft immer nach 21 Tagen ohne Anmeldung ab",
    true,
  ],
  [
    "The backups of the shop are copied to Frankfurt each night before three",
    "The backups of the shop are copied to Frankreich each night before three",
    false,
  ],
  [
    "Les factures du client sont conservées pendant les trois mois suivant son départ",
    "Les factures du client sont gardées pendant les trois mois suivant son départ",
    true,
  ],
])("“%s” and “%s”: %s", (one, other, areEqual) => {
  for (const [text, known] of [
    [one, other],
    [other, one],
  ] as const)
    expect(isNearlyEqual(text, fingerprintOf(text, null), fingerprintOf(known, null))).toBe(areEqual);
});
