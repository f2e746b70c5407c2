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
  ["Timeout of the stock API is twenty-five seconds", "The timeout of the stock API is 25 seconds", true],
  ["Timeout of the stock API is twenty-five seconds", "Timeout of the stock API is 25s", true],
  ["Timeout of the stock API is twenty-five seconds", "Timeout of the `stock` API is **twenty five** seconds", true],
  ["Timeout of the stock API is twenty-five seconds", "Timeout of the stock API is twenty-six seconds", false],
  ["Timeout of the stock API is twenty-five seconds", "Timeout of the stock API is 25 minutes", false],
  ["Timeout of the stock API is twenty-five seconds", "Timeout of the price API is 25s", false],
  ["Invoices are kept for seven (7) years", "Invoices are kept for seven years", true],
  ["Retries stop after ５ attempts", "Retries stop after five attempts", true],
  ["A failed job is retried 5x", "A failed job is retried five times", true],
  ["A failed job is retried 5x", "A failed job is retried six times", false],
  ["The cache isn’t shared between tenants", "The cache is not shared between tenants", true],
  ["The cache isn’t shared between tenants", "The cache is shared between tenants", false],
  ["The importer can't read XML", "The importer cannot read XML", true],
  ["Die Sitzung läuft nach fünfzehn Minuten ab", "Die Sitzung laeuft nach fuenfzehn Minuten ab", true],
  ["Die Sitzung läuft nach fünfzehn Minuten ab", "Die Sitzung läuft nach fuenfzig Minuten ab", false],
  ["The import has two thousand five hundred rows", "The import has 2,500 rows", true],
  ["The import has one thousand two hundred rows", "The import has a thousand and two rows", false],
  ["Der Import hat zweitausenddreihundertfünfundzwanzig Zeilen", "Der Import hat 2325 Zeilen", true],
])("“%s” and “%s”: %s", (one, other, areEqual) => {
  for (const [text, known] of [
    [one, other],
    [other, one],
  ] as const)
    expect(isNearlyEqual(text, fingerprintOf(text, null), fingerprintOf(known, null))).toBe(areEqual);
});
