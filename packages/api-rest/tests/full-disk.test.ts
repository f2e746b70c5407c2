import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type ApiResponse, type Request, type TestServer } from "./test-server.ts";

let base: string;
let root: string;
let isMounted = false;
let server: TestServer;
let api: Request;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "workspace-full-disk-test-"));
  root = join(base, "vault");
  await mkdir(root);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", root], { stdio: "ignore" });
    isMounted = true;
  } catch {
    return;
  }
  server = await startTestServer({ VAULT_PATH: root });
  api = await server.signIn();
});
afterAll(async () => {
  if (isMounted) {
    await server.close();
    execFileSync("umount", [root]);
  }
  await rm(base, { recursive: true, force: true });
});

const read = async (path: string): Promise<unknown> =>
  (await api("POST", "/api/fs/read", { body: { path } })).body.data.content;
const documents = async (): Promise<unknown> => (await api("GET", "/api/documents")).body.data;

describe("a file system that is full", () => {
  test("refuses all kinds of writes, keeps existing files and documents, and accepts writes again once there is space", async ({
    skip,
  }) => {
    if (!isMounted) skip("mounting needs root");
    const write = (path: string, content: string): Promise<ApiResponse> =>
      api("POST", "/api/fs/write", { body: { path, content } });
    expect((await write("/old.md", "# Old\n")).status).toBe(200);
    expect((await write("/filler.txt", "x".repeat(180_000))).status).toBe(200);
    const before = await documents();
    const { document } = (await api("POST", "/api/documents/by-path", { body: { path: "old.md" } })).body.data;
    const large = "y".repeat(200_000);
    const responses = [
      await write("/old.md", large),
      await write("/new.md", large),
      await api("PUT", `/api/documents/${document.id}`, { body: { body: large } }),
      await api("PUT", "/api/fs/raw?path=/old.md", { raw: { text: large, type: "application/octet-stream" } }),
      await api("PUT", "/api/fs/raw?path=/new.bin", { raw: { text: large, type: "application/octet-stream" } }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([507, 507, 507, 507, 507]);
    expect(responses[0]?.body).toMatchObject({ statusCode: 507, message: "The disk is full." });
    expect(await read("/old.md")).toBe("# Old\n");
    expect(await documents()).toEqual(before);
    expect((await readdir(root)).toSorted()).toEqual([".workspace", "filler.txt", "old.md"]);

    // Deleted files remain on the disk for a while, so space has to be freed in another way.
    expect((await api("POST", "/api/fs/delete", { body: { path: "/filler.txt" } })).status).toBe(200);
    expect((await write("/old.md", large)).status).toBe(507);
    execFileSync("mount", ["-o", "remount,size=2m", root]);
    expect((await write("/old.md", large)).status).toBe(200);
    expect(await read("/old.md")).toBe(large);
  });
});
