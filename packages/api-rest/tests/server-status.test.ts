import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type Request, type TestServer } from "./test-server.ts";

let server: TestServer;
let api: Request;

beforeAll(async () => {
  server = await startTestServer();
  api = await server.signIn();
});
afterAll(() => server.close());

const status = async (): Promise<any> => (await api("GET", "/api/server")).body.data;

test("says what the processes do, and on what they run", async () => {
  const { process: running, processes, database } = await status();
  expect(running).toMatchObject({ nodeVersion: process.version, platform: `${process.platform} ${process.arch}` });
  expect(running.residentBytes).toBeGreaterThan(10_000_000);
  expect(Date.parse(running.startedAt)).toBeLessThan(Date.now());
  expect(processes).toHaveLength(1);
  expect(processes[0]).toMatchObject({ isThis: true, isAlive: true });
  await expect.poll(async () => (await status()).processes[0].leads).toContain("mirror");
  expect(database.version).toMatch(/^\d+\.\d+/);
  expect(database.tables).toHaveLength(10);
});

test("says how much is stored, and how much room there is", async () => {
  const before = await status();
  await api("POST", "/api/fs/write", { body: { path: "/Pond.md", content: "x".repeat(5_000) } });
  const { vault, data, database } = await status();
  expect(vault.documents).toBe(before.vault.documents + 1);
  expect(vault.sizeBytes).toBe(before.vault.sizeBytes + 5_000);
  expect(vault.freeBytes).toBeGreaterThan(0);
  expect(data.freeBytes).toBeGreaterThan(0);
  expect(database.sizeBytes).toBeGreaterThan(1_000_000);
});

test("is told nobody who is not signed in, and no key", async () => {
  expect((await server.anonymous("GET", "/api/server")).status).toBe(401);
});
