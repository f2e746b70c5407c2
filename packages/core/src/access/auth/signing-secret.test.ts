import { randomBytes } from "node:crypto";
import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../platform/clock.ts";
import { putSetting, selectSetting } from "../../platform/setting.queries.ts";
import { WrongKeyError } from "../secrets/wrong-key-error.ts";
import { type SigningSecret, type SigningSecretDeps, verifySigningSecret } from "./signing-secret.ts";

const SETTING = "auth.secret-fingerprint";
const CHOSEN = secretOf("a secret that a person has chosen", false);

let database: TestDatabase;
let deps: SigningSecretDeps;
beforeEach(async () => {
  database = await createTestDatabase();
  deps = { db: database.db, clock: systemClock };
});
afterEach(() => database.close());

function secretOf(text: string, isRandom: boolean): SigningSecret {
  return { text, isRandom, save: () => Promise.resolve() };
}

const generate = (): SigningSecret => secretOf(randomBytes(32).toString("base64url"), true);
const recorded = () => selectSetting(database.db.pool, SETTING);

describe.each([
  ["generated", generate()],
  ["chosen", CHOSEN],
])("a %s secret", (_kind, secret) => {
  test("is accepted again, and refuses every other", async () => {
    await verifySigningSecret(deps, secret);
    await verifySigningSecret(deps, secret);
    await expect(verifySigningSecret(deps, generate())).rejects.toThrow(WrongKeyError);
    await expect(verifySigningSecret(deps, secretOf(`${secret.text}x`, false))).rejects.toThrow(WrongKeyError);
  });

  test("is accepted however the process got it", async () => {
    await verifySigningSecret(deps, secret);
    await verifySigningSecret(deps, { ...secret, isRandom: !secret.isRandom });
  });
});

test("only what is random may be checked fast", async () => {
  await verifySigningSecret(deps, CHOSEN);
  expect(await recorded()).toMatchObject({ isFast: false });
});

test("the fingerprint that an earlier version recorded for a generated secret still counts", async () => {
  const secret = generate();
  await verifySigningSecret(deps, { ...secret, isRandom: false });
  const { salt, hash } = (await recorded()) as { salt: string; hash: string };
  await putSetting(database.db.pool, { key: SETTING, value: { salt, hash }, now: new Date() });
  await verifySigningSecret(deps, secret);
  await expect(verifySigningSecret(deps, generate())).rejects.toThrow(WrongKeyError);
});
