import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "@workspace/core";
import { startTestServer, type TestServer } from "./test-server.ts";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const get = (path: string, accept: string) => server.anonymous("GET", path, { headers: { Accept: accept } });

test("all pages of the dashboard are served, whatever the client accepts", async () => {
  const webDir = join(import.meta.dirname, "../../web/src");
  const sources = await Promise.all(
    ["routes/pages.ts", "routes/route-tree.ts", "resources/resources.ts"].map((name) =>
      readFile(join(webDir, name), "utf8"),
    ),
  );
  const paths = [...sources.join("\n").matchAll(/(?:path: |page\()"([^"]*)"/g)].map(([, path = ""]) => path);
  expect(paths).toEqual(expect.arrayContaining(["/", "/tasks", "/sign-in", "/agents/$agentId"]));
  for (const path of paths) {
    for (const accept of [BROWSER, "*/*", "application/json"]) {
      const { status, headers } = await get(path.replaceAll(/\$\w+/g, "some-id"), accept);
      expect([path, status, headers.get("Content-Type")]).toEqual([path, 200, "text/html;charset=utf-8"]);
    }
  }
});

test("the dashboard takes passwords as long as the server does", async () => {
  const rules = await readFile(join(import.meta.dirname, "../../web/src/features/auth/password-length.ts"), "utf8");
  const numbers = [...rules.matchAll(/_PASSWORD_LENGTH = (\d+)/g)].map(([, number]) => Number(number));
  expect(numbers).toEqual([MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH]);
});

test.each(["/nonsense", "/tasks/some-id/more", "/assets/none.js", "/apis", "/.env", "/docs/none", "/tasks.php"])(
  "%s, where nothing is, is 404: a page to those who ask for one, an error to all others",
  async (path) => {
    for (const accept of ["*/*", "application/json", "text/html;q=0, */*"]) {
      expect(await get(path, accept)).toMatchObject({
        status: 404,
        body: { statusCode: 404, statusMessage: "Not Found", message: expect.any(String) },
      });
    }
    const page = await get(path, BROWSER);
    expect([page.status, page.headers.get("Content-Type")]).toEqual([404, "text/html;charset=utf-8"]);
    expect(page.headers.get("Content-Security-Policy")).toContain("script-src 'self'");
    expect(page.body).toContain('<div id="root">');
  },
);

test("unknown paths of the API never return a page", async () => {
  expect(await get("/api/nonsense", BROWSER)).toMatchObject({ status: 401, body: { statusCode: 401 } });
});
