import { readBreaker } from "../delivery/breaker-file.ts";
import { allowsAttempt } from "../delivery/circuit-breaker.ts";
import { MAX_SESSION_ID_LENGTH } from "../delivery/workspace-api.ts";
import type { HookInput } from "../harness/harness.ts";
import type { HookCall } from "../hook/hook-session.ts";
import { stringAt } from "../json/json-value.ts";
import { postWait, type WaitToPost } from "./approval-api.ts";
import { describeCall, seenText } from "./asked-call.ts";

/** The assistant may not show its question before; a report that is lost is not repeated. */
const DEADLINE_MS = 400;
const MAX_TEXT_LENGTH = 1_900;
const MAX_PROJECT_LENGTH = 4_096;

/** Reports that the assistant waits for a person in its own window, and for what. */
export async function reportWait({
  home,
  config,
  harness,
  input,
  project,
  cwd,
  switches,
  now,
}: HookCall): Promise<void> {
  const { sessionId } = input;
  const reason = reasonOf(input);
  if (!switches.events || config.kind !== "ready" || sessionId === undefined || reason === undefined) return;
  if (sessionId.length > MAX_SESSION_ID_LENGTH || !allowsAttempt(readBreaker(home.breaker), now(), false)) return;
  const { connection } = config.config;
  const known = [connection.key];
  const text =
    input.tool === undefined
      ? (stringAt(input.details, "message") ?? "")
      : `${input.tool.name}: ${describeCall(input.tool, cwd, known).call.text}`;
  const wait = {
    harness: harness.id,
    project: project.identity.slice(0, MAX_PROJECT_LENGTH),
    reason,
    text: seenText(text, MAX_TEXT_LENGTH, known).text,
    occurredAt: new Date(now()).toISOString(),
  };
  await postWait(connection, sessionId, wait, DEADLINE_MS);
}

/** Undefined if a notification is about something else. Older releases do not say what it is about. */
function reasonOf({ tool, details }: HookInput): WaitToPost["reason"] | undefined {
  if (tool !== undefined) return "permission";
  switch (stringAt(details, "notification")) {
    case "permission_prompt":
    case "elicitation_dialog":
      return "permission";
    case "idle_prompt":
      return "input";
    case undefined:
      break;
    default:
      return undefined;
  }
  const message = stringAt(details, "message") ?? "";
  if (/\bpermission\b/i.test(message)) return "permission";
  return /\bwaiting for your input\b/i.test(message) ? "input" : undefined;
}
