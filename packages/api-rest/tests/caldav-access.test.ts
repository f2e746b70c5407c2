import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { basic, NO_PROJECT, startCaldavServer, todo, type CaldavServer } from "./caldav-client.ts";
import { sendRaw } from "./raw-request.ts";
import { spellingsOf } from "./spellings.ts";
import { startTestServer } from "./test-server.ts";

let caldav: CaldavServer;
beforeAll(async () => {
  caldav = await startCaldavServer();
});
afterAll(() => caldav.server.close());

/** Elements with different names. */
const manyNames = (count: number) => Array.from({ length: count }, (_, index) => `<d:n${index}/>`).join("");

describe("hostile XML", () => {
  const BOMB = `<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><d:propfind xmlns:d="DAV:"><d:prop>&b;</d:prop></d:propfind>`;
  const FILE = `<!DOCTYPE d [<!ENTITY f SYSTEM "file:///etc/passwd">]><d:propfind xmlns:d="DAV:"><d:prop>&f;</d:prop></d:propfind>`;
  test.each([
    ["entities", BOMB],
    ["external entities", FILE],
    ["an unknown entity", '<d:propfind xmlns:d="DAV:">&nbsp;</d:propfind>'],
    ["depth", `${"<a>".repeat(1000)}${"</a>".repeat(1000)}`],
    ["width", `<a>${"<b/>".repeat(30_000)}</a>`],
    ["a long name", `<d:propfind xmlns:d="DAV:"><d:prop><d:${"n".repeat(600)}/></d:prop></d:propfind>`],
    ["a long namespace", `<d:propfind xmlns:d="DAV:"><d:prop xmlns="${"n".repeat(600)}"><a/></d:prop></d:propfind>`],
    ["a strange namespace", '<d:propfind xmlns:d="DAV:"><d:prop><a xmlns="a}b"/></d:prop></d:propfind>'],
    ["many properties", `<d:propfind xmlns:d="DAV:"><d:prop>${manyNames(1000)}</d:prop></d:propfind>`],
    ["what is not closed", '<d:propfind xmlns:d="DAV:"><d:prop>'],
    ["an undeclared prefix", "<d:propfind/>"],
    ["nothing but space and text", " hello "],
  ])("with %s is refused", async (_what, text) => {
    const { status, body } = await caldav.dav("PROPFIND", NO_PROJECT, { text });
    expect(status).toBe(400);
    expect(body).not.toContain("root:");
  });
});

describe("access", () => {
  test("is by an API key with the scope, as a password or as a bearer", async () => {
    const missing = await caldav.server.anonymous("PROPFIND", "/caldav/");
    expect([missing.status, missing.headers.get("www-authenticate")]).toEqual([
      401,
      'Basic realm="Workspace", charset="UTF-8"',
    ]);
    expect((await caldav.dav("PROPFIND", "/caldav/", { password: `${caldav.key}x` })).status).toBe(401);
    expect(
      (await caldav.dav("PROPFIND", "/caldav/", { headers: { Authorization: `Bearer ${caldav.key}` } })).status,
    ).toBe(207);
    const session = await caldav.server.signIn();
    expect((await session("PROPFIND", "/caldav/")).status).toBe(401);
    expect((await caldav.api("PROPFIND", "/caldav/")).status).toBe(401);
    const text = todo("UID:readonly", "SUMMARY:Read only");
    const written = await caldav.dav("PUT", `${NO_PROJECT}readonly.ics`, {
      text,
      type: "text/calendar",
      password: await caldav.createKey("tasks:read"),
    });
    expect([written.status, written.body.includes("lacks the scope tasks:write")]).toEqual([403, true]);
    const other = await caldav.createKey("memory:read");
    for (const method of ["PROPFIND", "REPORT", "GET", "PROPPATCH"])
      expect((await caldav.dav(method, `${NO_PROJECT}q1.ics`, { password: other })).status).toBe(403);
  });

  test("is refused to pages of other sites, for which a browser would send a password that it knows", async () => {
    for (const headers of [{ Origin: "https://evil.example" }, { "Sec-Fetch-Site": "cross-site" }])
      for (const method of ["GET", "PROPFIND", "DELETE"])
        expect((await caldav.dav(method, `${NO_PROJECT}q1.ics`, { headers })).status).toBe(403);
  });

  test("is only by HTTPS from elsewhere", async () => {
    const behindProxy = await startTestServer({ TRUST_PROXY: "on" });
    try {
      const { body } = await behindProxy.withToken("POST", "/api/api-keys", {
        body: { name: "k", scopes: ["tasks:read"] },
      });
      const ask = async (headers: Record<string, string>) =>
        (
          await behindProxy.anonymous("PROPFIND", "/caldav/", {
            headers: { Authorization: basic(body.data.key), ...headers },
          })
        ).status;
      expect(await ask({ "X-Forwarded-For": "198.51.100.7", "X-Forwarded-Proto": "https" })).toBe(207);
      expect(await ask({ "X-Forwarded-For": "198.51.100.7", "X-Forwarded-Proto": "http" })).toBe(403);
      expect(await ask({ "X-Forwarded-For": "198.51.100.7" })).toBe(403);
    } finally {
      await behindProxy.close();
    }
  });

  test("is had with a right key however many wrong ones were tried, which locks nobody out", async () => {
    const guarded = await startTestServer();
    try {
      const { body } = await guarded.withToken("POST", "/api/api-keys", {
        body: { name: "k", scopes: ["tasks:read"] },
      });
      const ask = (password: string, user = "ada") =>
        guarded.anonymous("PROPFIND", "/caldav/", {
          headers: { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` },
        });
      const many = await Promise.all(Array.from({ length: 30 }, () => ask(body.data.key)));
      expect(new Set(many.map(({ status }) => status))).toEqual(new Set([207]));
      for (let count = 0; count < 5; count += 1) expect((await ask("wrong", "eve")).status).toBe(401);
      const refused = await ask("wrong", "eve");
      expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
      for (let count = 0; count < 30; count += 1) await ask("wrong", `eve${count}`);
      expect((await ask("wrong", "mallory")).status).toBe(429);
      expect((await ask(body.data.key, "eve")).status).toBe(207);
      await guarded.signIn();
    } finally {
      await guarded.close();
    }
  });

  test("is needed for every spelling of a URL", async () => {
    for (const path of ["/caldav/", `${NO_PROJECT}q1.ics`]) {
      for (const { name, target } of spellingsOf(path)) {
        const { status, text } = await sendRaw(caldav.server.url, { method: "PROPFIND", target });
        expect([name, status === 207, text.includes("multistatus")]).toEqual([name, false, false]);
      }
    }
  });

  test("has one spelling for everything", async () => {
    for (const path of [
      "/CalDAV/",
      "/caldav//tasks/",
      "/caldav/tasks/NO-PROJECT/",
      `${NO_PROJECT}/q1.ics`,
      `${NO_PROJECT}q1.ics/`,
      `${NO_PROJECT}a%2Fb.ics`,
      `${NO_PROJECT}a%00.ics`,
      `${NO_PROJECT}%ff.ics`,
    ])
      expect([path, (await caldav.dav("PROPFIND", path)).status]).toEqual([path, 404]);
    await caldav.put(`${NO_PROJECT}q1.ics`, todo("UID:q1", "SUMMARY:Query"));
    expect((await caldav.dav("PROPFIND", `${NO_PROJECT}%71%31.ics`)).status).toBe(207);
  });
});
