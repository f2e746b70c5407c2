import type { Outputs } from "../../api/trpc.ts";

export type Secret = Outputs["secrets"]["list"]["data"][number];
export type SecretAccess = Outputs["secrets"]["listAccesses"]["data"][number];

export const ACCESS_LABELS: Readonly<Record<SecretAccess["action"], string>> = {
  create: "Created",
  reveal: "Revealed",
  use: "Used by a tool",
  update: "Changed",
  delete: "Deleted",
  rotate: "Encrypted anew",
};

const MAX_KEY_LENGTH = 255;

/** What is wrong with the name of a secret, in a sentence; undefined where nothing is, or nothing is typed yet. */
export function keyProblemOf(key: string, taken: ReadonlySet<string>): string | undefined {
  if (key === "") return undefined;
  if (!/^[A-Z]/.test(key)) return "It must start with a letter.";
  if (!/^[A-Z0-9_]+$/.test(key)) return "Only capital letters, digits and _ are possible.";
  if (key.length > MAX_KEY_LENGTH) return `It must be at most ${MAX_KEY_LENGTH} characters.`;
  return taken.has(key) ? "There is a secret with this name." : undefined;
}

/** What is typed as a name, as names are written: capitals, and _ for what divides words. */
export function toKey(text: string): string {
  return text.toUpperCase().replace(/[\s.-]/g, "_");
}

/** Who did something with a secret, for the one who reads: `user:<id>`, `agent_run:<id>`. */
export function sayActor(actor: string, ownUserId: string | undefined): string {
  const divider = actor.indexOf(":");
  const kind = actor.slice(0, Math.max(divider, 0));
  const id = actor.slice(divider + 1);
  if (kind === "user") return id === ownUserId ? "You" : "Another user";
  if (kind === "agent_run") return `Agent run ${id.slice(0, 8)}`;
  if (kind === "conversation") return `Chat ${id.slice(0, 8)}`;
  return actor;
}
