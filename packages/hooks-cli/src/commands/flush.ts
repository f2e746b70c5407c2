import { readBreaker, writeBreaker } from "../delivery/breaker-file.ts";
import { reset } from "../delivery/circuit-breaker.ts";
import { deliverBacklog } from "../delivery/deliver.ts";
import { getPolicy } from "../delivery/workspace-api.ts";
import type { Environment } from "../environment.ts";
import { describeError } from "../files/atomic-file.ts";
import { lacksCompiledCode } from "../files/compiled-code.ts";
import { readConfig } from "../files/config.ts";
import { logProblem } from "../files/problem-log.ts";
import { HELPER_LIMIT_MS } from "../hook/helper-process.ts";
import { handOverSessions } from "../memory/hand-over.ts";
import { keepServerPolicy, markServerPolicyFetched } from "../policy/policy-store.ts";
import { Spool } from "../spool/spool.ts";
import { parseArguments } from "../terminal/arguments.ts";
import { say } from "../terminal/terminal.ts";
import { compileAhead } from "./compile-ahead.ts";
import { requireHome } from "./targets.ts";

/** Taking memories out of a session takes a model some time. */
const HAND_OVER_MS = 10 * 60_000;
const DELIVERY_MS = 60_000;
/** Longer than any claim lasts that a process left behind when it died. */
const CLAIM_WAIT_MS = 20_000;
const POLL_MS = 250;

/** Sends what waits: events, and the transcripts of ended sessions. `--background` is what hooks start. */
export async function runFlush(args: readonly string[], environment: Environment): Promise<number> {
  const { flags } = parseArguments(args, { flags: ["background"] });
  const isBackground = flags.has("background");
  // Whatever happens, a helper does not stay.
  if (isBackground) setTimeout(() => process.exit(0), HELPER_LIMIT_MS);
  const home = requireHome(environment);
  const state = readConfig(home.config);
  if (state.kind !== "ready") {
    say(state.kind === "missing" ? "Nothing is installed yet." : state.message);
    return 1;
  }
  const { connection, maxSpooledEvents } = state.config;
  const spool = new Spool(home, { maxEvents: maxSpooledEvents }, Date.now);
  const deps = {
    home,
    spool,
    connection,
    now: Date.now,
    isAsked: !isBackground,
    knownSecrets: [connection.key],
  };
  const endMs = Date.now() + HELPER_LIMIT_MS - 300;
  if (!isBackground) writeBreaker(home.breaker, reset(readBreaker(home.breaker)));

  const delivered = isBackground ? await deliverBacklog(deps, endMs - Date.now()) : await deliverAll(deps);
  if (!isBackground) await fetchPolicy(deps);
  const handedOver =
    delivered.failure === undefined
      ? await handOverSessions(deps, isBackground ? endMs - Date.now() : HAND_OVER_MS, !isBackground)
      : undefined;
  if (isBackground) {
    if (lacksCompiledCode(home.program, home.compiledCode)) await compileAhead(home);
    // What the server answers about a transcript concerns a person; that it was away is known already.
    if (handedOver?.failure !== undefined) logProblem(home.problems, `memory: ${handedOver.failure}`, new Date());
    return 0;
  }
  say(`${delivered.sent} events sent, ${delivered.rejected} refused by the server, ${spool.length} left.`);
  if (handedOver !== undefined) say(`${handedOver.handedOver} sessions handed over, ${handedOver.left} left.`);
  const failure = delivered.failure ?? handedOver?.failure;
  if (failure !== undefined) say(`Not everything could be sent: ${failure}`);
  return failure === undefined && spool.length === 0 ? 0 : 1;
}

type FlushDeps = Parameters<typeof handOverSessions>[0] & Parameters<typeof deliverBacklog>[0];

/** Also what a process is sending at the moment, or died while sending. */
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

async function fetchPolicy({ home, connection }: FlushDeps): Promise<void> {
  const result = await getPolicy(connection, DELIVERY_MS);
  if (result.kind !== "ok") return;
  try {
    keepServerPolicy(home, result.value.document, result.value.version);
    markServerPolicyFetched(home);
  } catch (error) {
    say(`The server's policy could not be kept: ${describeError(error)}`);
  }
}
