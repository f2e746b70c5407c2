/**
 * How soon the hook that waits has a person's decision, and has told the assistant:
 *
 *   npm run bench -- approval-latency [decisions]
 *
 * Needs the built server and hooks CLI.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { HookMachine, Person } from "./approvals/hooks.ts";
import { signIn, startService } from "./processes.ts";

const DECISIONS = Number(process.argv[2] ?? 300);
const PORT = 3994;
const URL = `http://localhost:${PORT}`;

const dataDir = await mkdtemp(join(tmpdir(), "workspace-bench-"));
const service = await startService(dataDir, PORT);
try {
  const person = new Person(URL, await signIn(URL));
  const machine = await HookMachine.connect(URL, person);
  const [untilEnd, untilResponse]: [number[], number[]] = [[], []];
  for (let index = 0; index < DECISIONS; index += 1) {
    const decision = index % 2 === 0 ? "allowed_once" : "denied";
    const asked = machine.ask(`deploy ${index}`, 130);
    const id = await untilOpen(person, `deploy ${index}`);
    await sleep(Math.random() * 300);
    const tappedAt = performance.now();
    await person.decide(id, decision);
    untilResponse.push(performance.now() - tappedAt);
    const { permission, endedAtMs } = await asked;
    // A refusal and an approval are both told as JSON.
    if (permission !== (decision === "denied" ? "deny" : "allow")) throw new Error(`${decision} became ${permission}`);
    untilEnd.push(endedAtMs - tappedAt);
  }
  console.log(`${DECISIONS} decisions, from the tap, in ms:`);
  console.log(`  response to the person          ${describe(untilResponse)}`);
  console.log(`  end of the hook with its reply  ${describe(untilEnd)}`);
  machine.close();
} finally {
  await service.close();
  await rm(dataDir, { recursive: true, force: true });
}

async function untilOpen(person: Person, call: string): Promise<string> {
  for (;;) {
    const found = (await person.open()).find((approval) => approval.call === call);
    if (found !== undefined) return found.id;
    await sleep(20);
  }
}

function describe(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(0);
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)}`;
}
