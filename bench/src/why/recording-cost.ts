import type { RecordHookEvent } from "@workspace/core";
import type { createHookEventService } from "@workspace/core/testing";
import { percentile } from "../model-service.ts";
import { createRandom } from "../vault-notes.ts";
import type { Step } from "./history.ts";
import { toRecorded } from "./recorded-step.ts";

const ROUNDS = 1000;

/** One event after the other: one that changes no file, and one that writes 15 lines, with and without recording them. */
export async function measureRecordingCost(
  hookEvents: Pick<ReturnType<typeof createHookEventService>, "record">,
): Promise<void> {
  const random = createRandom(5);
  const taken = {
    "no change of a file": [] as number[],
    "15 lines, not recorded": [] as number[],
    "15 lines": [] as number[],
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const lines = Array.from({ length: 15 }, () => `const value${random(1e9)} = compute(${random(1e9)});`);
    const tool_input = {
      file_path: `/bench/cost/src/file-${random(1000)}.ts`,
      old_string: "",
      new_string: lines.join("\n"),
    };
    const step = (tool: object): Step => ({
      event: "PostToolUse",
      folder: "/bench/cost",
      payload: { session_id: "cost", ...tool },
    });
    const edit = toRecorded(step({ tool_name: "Edit", tool_input }), Date.now());
    const kinds: readonly [keyof typeof taken, RecordHookEvent][] = [
      [
        "no change of a file",
        toRecorded(step({ tool_name: "Bash", tool_input: { command: lines.join("\n") } }), Date.now()),
      ],
      ["15 lines, not recorded", { ...edit, id: undefined, eventType: "PreToolUse" }],
      ["15 lines", edit],
    ];
    for (const [name, event] of kinds) {
      const startedAt = performance.now();
      await hookEvents.record(event);
      taken[name].push(performance.now() - startedAt);
    }
  }
  for (const [name, values] of Object.entries(taken))
    console.log(`storing an event, ${name}: p50 ${percentile(values, 0.5)} ms, p95 ${percentile(values, 0.95)} ms`);
}
