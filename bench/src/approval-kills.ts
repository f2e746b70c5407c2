/**
 * Repeatedly kills the server with SIGKILL while hooks wait for decisions, restarts it, and counts hooks that hang, that
 * obey the decision about another call, and that let a call pass that nobody has allowed:
 *
 *   npm run bench -- approval-kills [kills]
 *
 * Needs the built server and hooks CLI.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { HookMachine, Person } from "./approvals/hooks.ts";
import { withBenchDatabase } from "./bench-database.ts";
import { signIn, startService } from "./processes.ts";

const KILLS = Number(process.argv[2] ?? 500);
const PORT = 3995;
const URL = `http://localhost:${PORT}`;
const TIMEOUT_S = 12;
const HANG_MS = (TIMEOUT_S + 5) * 1_000;
const HOOKS_AT_ONCE = 4;
const OPEN_AT_LEAST = 2;

/** The command says what the person will decide. */
const INTENTIONS = { allow: "allowed_once", deny: "denied", ignore: undefined } as const;
type Intention = keyof typeof INTENTIONS;

const counts = { allow: 0, deny: 0, ask: 0, nothing: 0 };
let [hangs, mistaken, unapproved, decided] = [0, 0, 0, 0];
let isOver = false;
/** Settles once the server is ready: a hook that cannot reach it at first does not ask it. */
let ready: Promise<unknown> = Promise.resolve();

await withBenchDatabase(async (_db, postgresDir) => {
  const dataDir = join(postgresDir, "service");
  await mkdir(dataDir);
  const socket = encodeURIComponent(join(postgresDir, "postgres"));
  const env = { DATABASE_URL: `postgresql://workspace@localhost:5432/workspace?host=${socket}` };
  let service = await startService(dataDir, PORT, env);
  const person = new Person(URL, await signIn(URL));
  const machine = await HookMachine.connect(URL, person);
  const work = [...Array.from({ length: HOOKS_AT_ONCE }, (_, index) => askOn(machine, index)), decideOn(person)];
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await untilAsked(person);
    await sleep(Math.random() * 500);
    await service.kill();
    const started = startService(dataDir, PORT, env);
    ready = started;
    service = await started;
    if (kill % 20 === 0) console.log(`${kill} kills`, counts, { hangs, mistaken, unapproved });
  }
  isOver = true;
  await Promise.all(work);
  machine.close();
  await service.close();
});
console.log(`${KILLS} kills, ${decided} decisions made; the hooks replied`, counts);
console.log({ hangs, "decisions about another call": mistaken, "approvals that nobody gave": unapproved });

/** Until several questions are open, so that each kill meets some. */
async function untilAsked(person: Person): Promise<void> {
  while ((await person.open()).length < OPEN_AT_LEAST) await sleep(20);
}

async function askOn(machine: HookMachine, worker: number): Promise<void> {
  for (let round = 0; !isOver; round += 1) {
    await ready;
    const intention = (["allow", "deny", "ignore"] as const)[Math.floor(Math.random() * 3)] ?? "ignore";
    const { permission, durationMs } = await machine.ask(`deploy ${worker}-${round} ${intention}`, TIMEOUT_S);
    counts[permission] += 1;
    if (durationMs > HANG_MS) hangs += 1;
    if (permission === "nothing" || (permission === "allow" && intention !== "allow")) unapproved += 1;
    if (permission === "deny" && intention !== "deny") mistaken += 1;
  }
}

/** Decides about what is open, some time after it was asked; what fails is tried again. */
async function decideOn(person: Person): Promise<void> {
  while (!isOver) {
    try {
      for (const { id, call } of await person.open()) {
        const decision = INTENTIONS[call.split(" ").at(-1) as Intention];
        if (decision === undefined || Math.random() < 0.7) continue;
        await person.decide(id, decision);
        decided += 1;
      }
    } catch {
      // The server is away, or the hook has withdrawn the request.
    }
    await sleep(100);
  }
}
