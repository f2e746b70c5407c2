import { expect, test } from "vitest";
import { GoneError, InvalidInputError } from "../../platform/errors.ts";
import { deriveEncryptionKey, sealSecret } from "../secrets/secret-box.ts";
import { createAuthorizationRequests } from "./authorization-request.ts";

const newest = deriveEncryptionKey("a text of thirty-two characters or more");
const find = (id: string) => (id === newest.id ? newest : undefined);
const requests = createAuthorizationRequests({ newest, find, save: async () => {} });

const request = {
  issuer: "https://workspace.example",
  clientId: "01a21e9c-4217-7190-a3a1-b4c19b5d6296",
  redirectUri: "http://localhost/callback",
  state: null,
  codeChallenge: "x",
  scopes: ["tasks:read" as const],
};

test("a request is decided within half an hour", async () => {
  const sealed = await requests.seal(request, new Date("2026-11-27T12:00:00Z"));
  expect(requests.open(sealed, new Date("2026-11-27T12:29:59Z"))).toEqual(request);
  expect(() => requests.open(sealed, new Date("2026-11-27T12:30:00Z"))).toThrow(GoneError);
});

test("a request that an earlier version has sealed, or another page, is not decided", () => {
  const now = new Date("2026-11-27T12:00:00Z");
  const { issuer: _, ...earlier } = { ...request, until: now.getTime() + 1_000 };
  expect(() => requests.open(sealSecret(newest, "authorization request", JSON.stringify(earlier)), now)).toThrow(
    GoneError,
  );
  expect(() => requests.open(sealSecret(newest, "another", JSON.stringify(request)), now)).toThrow(InvalidInputError);
});
