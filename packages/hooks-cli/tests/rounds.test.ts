import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runStorm, tally } from "./support/event-storm.ts";
import { settingsKills, settingsRoundTrips } from "./support/settings-rounds.ts";
import { PROGRAM, TemporaryHome } from "./support/temporary-home.ts";
import { type Behaviour, startFlakyServer } from "./support/flaky-server.ts";

/** Short versions of the benches in `bench/src/hooks-cli-*.ts`. */

describe("settings files", () => {
  test("are identical after install and uninstall", () => {
    expect(settingsRoundTrips(200)).toBe(0);
  });

  test("are never damaged by a kill halfway, and end unchanged", async () => {
    const { damaged, different, leftBehind } = await settingsKills(16);
    expect({ damaged, different, leftBehind }).toEqual({ damaged: 0, different: 0, leftBehind: 0 });
  });
});

describe("events", () => {
  test("of twenty parallel processes each reach an unreliable server once", async () => {
    const home = new TemporaryHome();
    const server = await startFlakyServer();
    home.configure(server.url);
    const moods: Behaviour[] = ["up", "flapping", "failing", "hanging", "flapping", "garbage"];
    const { markers, failures } = await runStorm(
      home,
      {
        events: 200,
        parallel: 20,
        onProgress: (done) => (server.behaviour = moods[Math.floor(done / 10) % moods.length] ?? "up"),
      },
      [process.execPath, PROGRAM],
    );
    server.behaviour = "up";
    const { stdout } = await home.run(["flush"]);
    expect(stdout).toContain(" 0 left.");
    const { lost, duplicated } = tally(markers, [...server.events.values()]);
    expect({ lost, duplicated, failures }).toEqual({ lost: 0, duplicated: 0, failures: [] });
    await server.close();
    home.close();
  });

  test("are sent in batches that the server accepts: at most 500, and at most a mebibyte", async () => {
    const home = new TemporaryHome();
    const server = await startFlakyServer();
    home.configure(server.url);
    const body = (index: number, text: string): string =>
      JSON.stringify({
        id: `00000000-0000-7000-8000-${String(index).padStart(12, "0")}`,
        eventType: "PreToolUse",
        text,
      });
    for (let index = 0; index < 1_600; index += 1) {
      // Three bytes each for the server, but one in a count of characters.
      const text = "語".repeat(index < 100 ? 4_000 : 1);
      const name = `000000001-00000000-0000-7000-8000-${String(index).padStart(12, "0")}.json`;
      home.write(`.workspace-hooks/spool/${name}`, body(index, text));
    }
    expect((await home.run(["flush"])).exitCode).toBe(0);
    expect(server.events.size).toBe(1_600);
    const batches = server.requests.filter(({ url }) => url.endsWith("/batch"));
    expect(Math.max(...batches.map(({ body }) => Buffer.byteLength(body)))).toBeLessThanOrEqual(1024 * 1024);
    const sizes = batches.map(({ body }) => (JSON.parse(body) as { events: unknown[] }).events.length);
    expect(Math.max(...sizes)).toBe(500);
    await server.close();
    home.close();
  });
});

test("the schema of a policy matches the program", async () => {
  const { SHIPPED_RULES } = await import("../src/policy/shipped-rules.ts");
  const { PACKS, SAFE_PACK } = await import("../src/effects/effect-rules.ts");
  const { DECISIONS, DETECTORS, PATH_ACCESSES } = await import("../src/policy/policy.ts");
  const schema = JSON.parse(readFileSync(new URL("../schema/policy.schema.json", import.meta.url), "utf8"));
  expect(schema.properties.use.items.enum).toEqual(SHIPPED_RULES.map(({ id }) => id));
  expect(schema.properties.packs.items.enum).toEqual([SAFE_PACK, ...PACKS].map(({ id }) => id));
  expect(schema.properties.decisions.additionalProperties.enum.toSorted()).toEqual([...DECISIONS, "off"].toSorted());
  expect(schema.$defs.rule.properties.decision.enum.toSorted()).toEqual([...DECISIONS].toSorted());
  expect(schema.$defs.detector.enum).toEqual([...DETECTORS]);
  expect(schema.$defs.access.enum).toEqual([...PATH_ACCESSES]);
});
