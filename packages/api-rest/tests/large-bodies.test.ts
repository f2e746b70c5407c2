import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type Request, type TestServer } from "./test-server.ts";

const MIB = 1024 * 1024;

let server: TestServer;
let api: Request;

beforeAll(async () => {
  server = await startTestServer();
  api = await server.signIn();
});
afterAll(() => server.close());

const write = (body: unknown) => api("POST", "/api/fs/write", { body });

test("a body of a few long texts is taken, whatever is in them", async () => {
  const content = '[{"a": 0}, 1]\n'.repeat(2 * MIB).slice(0, 20 * MIB);
  const { status } = await write({ path: "long.txt", content });
  expect(status).toBe(200);
});

test("a large body of very many values is refused before it is parsed", async () => {
  const values = Array.from({ length: 600_000 }, () => 0);
  const { status, body } = await write({ path: "a.txt", content: "a", values });
  expect(status).toBe(413);
  expect(body.message).toBe("The body has more than 100000 values.");
});
