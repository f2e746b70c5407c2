import { expect } from "vitest";
import type { TestServer } from "../../../api-rest/tests/test-server.ts";

/** Creates a key as `install` does, for homes that are configured without it: each install compiles the program for most of a second. */
export async function createHooksKey({ withToken }: TestServer): Promise<string> {
  const { status, body } = await withToken("POST", "/api/api-keys", { body: { name: "Hooks", scopes: ["hooks"] } });
  expect(status).toBe(201);
  return body.data.key;
}
