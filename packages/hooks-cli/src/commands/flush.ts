import { refreshCitations } from "../citations/project-citations.ts";
import { readBreaker, writeBreaker } from "../delivery/breaker-file.ts";
import { afterFailure, afterSuccess, isTrialDue, reset } from "../delivery/circuit-breaker.ts";
import { deliverBacklog } from "../delivery/deliver.ts";
import { fetchServerSettings } from "../delivery/server-settings.ts";
import { getMemorySettings } from "../delivery/workspace-api.ts";
import type { Environment } from "../environment.ts";
import { describeError } from "../files/atomic-file.ts";
import { lacksCompiledCode } from "../files/compiled-code.ts";
import { readConfig } from "../files/config.ts";
import { logProblem } from "../files/problem-log.ts";
import { MAX_HELPER_LIFETIME_MS } from "../hook/helper-process.ts";
import { removeOldFiles } from "../memory/given-memories.ts";
import { type IndexedProject, refreshIndex } from "../memory/index-file.ts";
import { reportInjections } from "../memory/report-injections.ts";
import { uploadTranscripts } from "../memory/upload-transcripts.ts";
import { sendUsage } from "../usage/send-usage.ts";
import { Spool } from "../spool/spool.ts";
import { WATCH_MS, watchSession } from "../steering/watch-session.ts";
import { parseArguments } from "../terminal/arguments.ts";
import { recordCalls } from "../calls/record-calls.ts";
import { SETTINGS_MAX_AGE_MS } from "../hook/session-steps.ts";
import { serverPolicyAgeMs } from "../policy/policy-store.ts";
import { counted, countedEvents, print } from "../terminal/terminal.ts";
import { compileAhead } from "./compile-ahead.ts";
import { requireHome } from "./targets.ts";

/** A month of transcripts may be pending. */
const UPLOAD_MS = 10 * 60_000;
const DELIVERY_MS = 60_000;
/** Longer than any claim left behind by a process that died. */
const CLAIM_WAIT_MS = 20_000;
const POLL_MS = 250;
const MEMORY_MS = 1_500;
const CALLS_MS = 1_000;
/** So far a session that is watched is behind in the dashboard. */
const SEND_EVERY_MS = 2_000;

/** Sends pending events and the transcripts of ended sessions. Hooks start it with `--background`. */
export async function runFlush(args: readonly string[], environment: Environment): Promise<number> {
  const { flags, values } = parseArguments(args, {
    flags: ["background"],
    values: ["project", "folder", "root", "watch"],
  });
  const isBackground = flags.has("background");
  // A helper must never stay around, whatever happens.
  const { watch } = values;
  if (isBackground) setTimeout(() => process.exit(0), MAX_HELPER_LIFETIME_MS + (watch === undefined ? 0 : WATCH_MS));
  const home = requireHome(environment);
  const state = readConfig(home.config);
  if (state.kind !== "ready") {
    print(state.kind === "missing" ? "Not installed yet." : state.message);
    return 1;
  }
  const { config } = state;
  const { connection, maxSpooledEvents } = config;
  const spool = new Spool(home, { maxEvents: maxSpooledEvents }, Date.now);
  const deps = {
    home,
    spool,
    config,
    connection,
    maxSpooledEvents,
    now: Date.now,
    isAsked: !isBackground,
    knownSecrets: [connection.key],
  };
  const watched = watch === undefined ? undefined : tryToWatch(deps, watch);
  const endMs = Date.now() + MAX_HELPER_LIFETIME_MS - 300;
  if (!isBackground) writeBreaker(home.breaker, reset(readBreaker(home.breaker)));

  if (isBackground) await tryAbsentServer(deps);

  const { project: identity, folder: directory, root } = values;
  if (identity !== undefined && directory !== undefined) {
    if (root !== undefined) await checkProject(deps, { identity, directory, root });
    await makeIndex(deps, { identity, directory });
  }
  const callFailure = await recordCalls(deps, isBackground ? CALLS_MS : UPLOAD_MS);
  const delivered = isBackground ? await deliverBacklog(deps, endMs - Date.now()) : await deliverAll(deps);
  if (!isBackground || serverPolicyAgeMs(home, Date.now()) > SETTINGS_MAX_AGE_MS)
    await fetchSettings(deps, isBackground);
  if (delivered.failure === undefined) await reportGiven(deps);
  const usageFailure = delivered.failure === undefined ? await sendUsage(deps, endOf(isBackground, endMs)) : undefined;
  const uploads =
    delivered.failure === undefined
      ? await uploadTranscripts(deps, isBackground ? endMs - Date.now() : UPLOAD_MS, !isBackground)
      : undefined;
  for (const directory of [
    home.given,
    home.indexes,
    home.fileNames,
    home.passes,
    home.calls,
    home.steering,
    home.transcripts,
    home.usage,
  ])
    removeOldFiles(directory, Date.now());
  if (isBackground) {
    if (lacksCompiledCode(home)) await compileAhead(home);
    // A transcript rejected by the server needs attention; that the server was unreachable is already known.
    if (uploads?.failure !== undefined) logProblem(home.problems, `memory: ${uploads.failure}`, new Date());
    if (callFailure !== undefined) logProblem(home.problems, `events: ${callFailure}`, new Date());
    if (usageFailure !== undefined) logProblem(home.problems, `usage: ${usageFailure}`, new Date());
    await sendWhile(deps, watched);
    return 0;
  }
  print(`${countedEvents(delivered.sent)} sent, ${delivered.rejected} refused by the server, ${spool.length} left.`);
  if (uploads !== undefined) print(`${counted(uploads.uploaded, "session")} uploaded, ${uploads.left} left.`);
  const failure = delivered.failure ?? callFailure ?? usageFailure ?? uploads?.failure;
  if (failure !== undefined) print(`Not everything could be sent: ${failure}`);
  return failure === undefined && spool.length === 0 ? 0 : 1;
}

function endOf(isBackground: boolean, endMs: number): number {
  return isBackground ? endMs - Date.now() : DELIVERY_MS;
}

type FlushDeps = Parameters<typeof uploadTranscripts>[0] &
  Parameters<typeof deliverBacklog>[0] &
  Parameters<typeof recordCalls>[0];

/** Finds out whether a server that was away is back: hooks do not wait for it before a process that has the time has reached it. */
async function tryAbsentServer({ home, connection, now }: FlushDeps): Promise<void> {
  const before = readBreaker(home.breaker);
  if (!isTrialDue(before, now())) return;
  const result = await getMemorySettings(connection, MEMORY_MS);
  const isBack = result.kind === "ok" || result.kind === "refused";
  writeBreaker(home.breaker, isBack ? afterSuccess(before, now(), false) : afterFailure(before, now(), result));
}

/** Watches a session while the rest is done, and after that. */
async function tryToWatch({ home, connection }: FlushDeps, sessionId: string): Promise<void> {
  try {
    await watchSession(home, connection, sessionId);
  } catch (error) {
    logProblem(home.problems, `steering: the session was not watched (${describeError(error)})`, new Date());
  }
}

/**
 * Sends what sessions do while one is watched, so that a person who looks at it sees it go on: most hooks leave that to a helper.
 * What fails is sent later, and reported then.
 */
async function sendWhile(deps: FlushDeps, watched: Promise<void> | undefined): Promise<void> {
  let isWatched = watched !== undefined;
  const isOver = watched?.then(() => void (isWatched = false));
  while (isWatched) {
    await Promise.race([isOver, new Promise((resolve) => setTimeout(resolve, SEND_EVERY_MS).unref())]);
    await recordCalls(deps, CALLS_MS);
    if (deps.spool.availableLength > 0) await deliverBacklog(deps, CALLS_MS);
  }
}

/** Reports which memories of a project rest on lines that are not there any more, before the others are fetched. */
async function checkProject(
  { home, connection }: FlushDeps,
  project: IndexedProject & { root: string },
): Promise<void> {
  try {
    await refreshCitations(home, connection, project, MEMORY_MS);
  } catch (error) {
    logProblem(home.problems, `memory: citations could not be checked (${describeError(error)})`, new Date());
  }
}

/** Fetches the memories of a project for the time when the server is away. */
async function makeIndex({ home, connection }: FlushDeps, project: IndexedProject): Promise<void> {
  try {
    await refreshIndex(home, connection, project, MEMORY_MS);
  } catch (error) {
    logProblem(home.problems, `memory: the local index could not be stored (${describeError(error)})`, new Date());
  }
}

async function reportGiven({ home, connection }: FlushDeps): Promise<void> {
  try {
    await reportInjections(home, connection, MEMORY_MS);
  } catch (error) {
    logProblem(
      home.problems,
      `memory: what sessions were given was not reported (${describeError(error)})`,
      new Date(),
    );
  }
}

/** Also delivers events that another process is sending, or died while sending. */
async function deliverAll(deps: FlushDeps): Promise<Awaited<ReturnType<typeof deliverBacklog>>> {
  const waitUntilMs = Date.now() + CLAIM_WAIT_MS;
  let total = await deliverBacklog(deps, DELIVERY_MS);
  while (total.failure === undefined && deps.spool.length > 0 && Date.now() < waitUntilMs) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const more = await deliverBacklog(deps, DELIVERY_MS);
    total = { sent: total.sent + more.sent, rejected: total.rejected + more.rejected, failure: more.failure };
  }
  return total;
}

async function fetchSettings({ home, connection }: FlushDeps, isBackground: boolean): Promise<void> {
  try {
    await fetchServerSettings(home, connection, isBackground ? MEMORY_MS : DELIVERY_MS);
  } catch (error) {
    const problem = `the server's settings could not be stored (${describeError(error)})`;
    if (isBackground) logProblem(home.problems, problem, new Date());
    else print(`Not everything could be fetched: ${problem}`);
  }
}
