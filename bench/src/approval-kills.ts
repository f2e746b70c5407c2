/**
 * Repeatedly kills the server with SIGKILL while hooks wait for decisions, restarts it, and counts hooks that hang, that
 * obey the decision about another call, and that let a call pass that nobody has allowed. At each kill at least two hooks
 * wait whose questions the server has:
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
let [hangs, mistaken, unapproved, openAtKills, obeyedAfterKill, unheard] = [0, 0, 0, 0, 0, 0];
let isOver = false;
/** The calls whose hooks are running, each with how often the server had been killed when it was made. */
const waiting = new Map<string, number>();
/** The calls that the person has tried to decide about; whether the server stored that before a kill, only it knows. */
const tried = new Map<string, "allow" | "deny">();
/** Those about which the server has said that it is decided. */
const decided = new Set<string>();
let killed = 0;
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
    await sleep(Math.random() * 500);
    openAtKills += await untilAsked(person);
    await service.kill();
    killed = kill;
    const started = startService(dataDir, PORT, env);
    ready = started;
    service = await started;
    if (kill % 20 === 0) console.error(`${kill} kills`, counts, { hangs, mistaken, unapproved, obeyedAfterKill });
  }
  isOver = true;
  // Hooks that never end have been counted by then.
  await Promise.race([Promise.all(work), sleep(2 * HANG_MS, undefined, { ref: false })]);
  machine.close();
  await service.close();
});
console.log(`${KILLS} kills, at each ${(openAtKills / KILLS).toFixed(1)} open questions of waiting hooks in the mean`);
console.log(`${decided.size} decisions made; the hooks replied`, counts);
console.log(
  `${obeyedAfterKill} hooks obeyed after a kill while they waited; ${unheard} did not hear of a decision in time`,
);
console.log({ hangs, "decisions about another call": mistaken, "approvals that nobody gave": unapproved });
if (hangs + mistaken + unapproved > 0) process.exitCode = 1;

/** Until several hooks wait whose questions are open, so that each kill meets some; how many they are. */
async function untilAsked(person: Person): Promise<number> {
  for (;;) {
    const open = (await person.open()).filter(({ call }) => waiting.has(call)).length;
    if (open >= OPEN_AT_LEAST) return open;
    await sleep(20);
  }
}

async function askOn(machine: HookMachine, worker: number): Promise<void> {
  for (let round = 0; !isOver; round += 1) {
    await ready;
    const intention = (["allow", "deny", "ignore"] as const)[Math.floor(Math.random() * 3)] ?? "ignore";
    const call = `deploy ${worker}-${round} ${intention}`;
    waiting.set(call, killed);
    const alarm = setTimeout(() => (hangs += 1), HANG_MS);
    const { permission } = await machine.ask(call, TIMEOUT_S);
    clearTimeout(alarm);
    const isObeyed = permission === "allow" || permission === "deny";
    if (isObeyed && waiting.get(call) !== killed) obeyedAfterKill += 1;
    if (!isObeyed && decided.has(call)) unheard += 1;
    waiting.delete(call);
    counts[permission] += 1;
    if (permission === "nothing" || (permission === "allow" && tried.get(call) !== "allow")) unapproved += 1;
    if (permission === "deny" && tried.get(call) !== "deny") mistaken += 1;
  }
}

/** Decides about what is open, some time after it was asked; what fails is tried again. */
async function decideOn(person: Person): Promise<void> {
  while (!isOver) {
    try {
      for (const { id, call } of await person.open()) {
        const intention = call.split(" ").at(-1) as Intention;
        const decision = INTENTIONS[intention];
        if (intention === "ignore" || decision === undefined || Math.random() < 0.7) continue;
        tried.set(call, intention);
        await person.decide(id, decision);
        decided.add(call);
      }
    } catch {
      // The server is away, or the hook has withdrawn the request.
    }
    await sleep(100);
  }
}
