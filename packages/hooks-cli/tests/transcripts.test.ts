import { symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FlakyServer, startFlakyServer } from "./support/flaky-server.ts";
import { TemporaryHome, eventually } from "./support/temporary-home.ts";

let home: TemporaryHome;
let server: FlakyServer;

beforeEach(async () => {
  home = new TemporaryHome();
  server = await startFlakyServer();
  home.configure(server.url);
});

afterEach(async () => {
  await server.close();
  home.close();
});

describe("a transcript", () => {
  test("that cannot be read keeps no other from being uploaded", async () => {
    const loop = join(home.path, "loop.jsonl");
    symlinkSync(loop, loop);
    for (const path of [loop, "/a\u0000b.jsonl", join(home.write("file", ""), "below.jsonl")]) {
      const session = { session_id: path, transcript_path: path };
      await home.hook("SessionEnd", { ...session, reason: "other" });
    }
    const transcript_path = home.write("good.jsonl", conversation("We keep the retries at five. ".repeat(20)));
    const end = await home.hook("SessionEnd", { session_id: "good", transcript_path, reason: "other" });
    expect(end).toMatchObject({ exitCode: 0, stderr: "" });
    expect(await home.run(["flush"])).toMatchObject({ exitCode: 0, stderr: "" });
    // The hook's helper may be uploading it instead.
    await eventually(() => server.transcripts.length > 0);
    expect(server.transcripts.map(({ sessionId }) => sessionId)).toEqual(["good"]);
    expect(server.transcripts[0]).not.toHaveProperty("isCut");
    expect((await home.run(["status"])).exitCode).toBe(0);
  });

  test("that is too long in a request is cut", async () => {
    const transcript_path = home.write("quotes.jsonl", conversation('"'.repeat(90_000)).repeat(200));
    await home.hook("SessionEnd", { session_id: "quotes", transcript_path, reason: "other" });
    await home.run(["flush"]);
    await eventually(() => server.transcripts.length > 0);
    const upload = server.requests.find(({ url }) => url === "/api/hooks/sessions/quotes/transcript");
    expect(upload?.body.length).toBeGreaterThan(30 * 1024 * 1024);
    expect(upload?.body.length).toBeLessThan(32 * 1024 * 1024);
    expect(server.transcripts[0]).toMatchObject({ isCut: true });
  });

  test.each([true, false])("is uploaded at the end although the server was away (hanging: %s)", async (timedOut) => {
    const now = Date.now();
    const lastFailure = { atMs: now - 6_000, message: "no response", timedOut };
    const away = { failures: 6, openUntilMs: now + 24_000, slowUntilMs: now + 24_000, lastFailure };
    home.write(".workspace-hooks/delivery.json", JSON.stringify(away));
    const transcript_path = home.write("ended.jsonl", conversation("We keep the retries at five. ".repeat(20)));
    await home.hook("SessionEnd", { session_id: "ended", transcript_path, reason: "other" });
    await eventually(() => server.transcripts.length > 0 && server.events.size > 0, 20_000);
    expect(home.read(".workspace-hooks/delivery.json")).toContain(`"failures":0`);
  });

  test("of a session in which memory was switched off is never uploaded", async () => {
    const text = "We keep the retries at five. ".repeat(20);
    const session = { session_id: "private", transcript_path: home.write("private.jsonl", conversation(text)) };
    await home.hook("SessionStart", { ...session, source: "startup" });
    await home.run(["memory", "off", "--here"]);
    await home.hook("SessionEnd", { ...session, reason: "other" });
    // As if it had been cut off.
    const anHourAgo = new Date(Date.now() - 3_600_000);
    utimesSync(session.transcript_path, anHourAgo, anHourAgo);
    const { stdout } = await home.run(["flush"]);
    expect(stdout).toContain("0 sessions uploaded, 0 left");
    expect(server.transcripts).toEqual([]);
  });

  function conversation(content: string): string {
    return `${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`;
  }
});
