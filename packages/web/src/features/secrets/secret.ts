import type { Outputs } from "../../api/api.ts";

export type Secret = Outputs["secrets"]["list"]["data"][number];
export type SecretAccess = Outputs["secrets"]["listAccesses"]["data"][number];

export type SecretGrant = Outputs["secrets"]["listGrants"]["data"][number];

export const ACCESS_LABELS: Readonly<Record<SecretAccess["action"], string>> = {
  create: "Created",
  reveal: "Revealed",
  use: "Used",
  update: "Changed",
  delete: "Deleted",
  rotate: "Re-encrypted",
};

const MAX_KEY_LENGTH = 255;

/** What is wrong with the name of a secret, in a sentence; undefined if it is valid or still empty. */
export function keyProblemOf(key: string, taken: ReadonlySet<string>): string | undefined {
  if (key === "") return undefined;
  if (!/^[A-Z]/.test(key)) return "It must start with a letter.";
  if (!/^[A-Z0-9_]+$/.test(key)) return "Only capital letters, digits and _ are allowed.";
  if (key.length > MAX_KEY_LENGTH) return `It must be at most ${MAX_KEY_LENGTH} characters.`;
  return taken.has(key) ? "A secret with this name already exists." : undefined;
}

/** Converts input to the format of names: capitals, with _ between words. */
export function toKey(text: string): string {
  return text.toUpperCase().replace(/[\s.-]/g, "_");
}

/** The actor of an access, for display. The server's format is such as `user:<id>` or `command:<command> in <folder>`. */
export function actorName(actor: string, ownUserId: string | undefined): string {
  const divider = actor.indexOf(":");
  const kind = actor.slice(0, Math.max(divider, 0));
  const id = actor.slice(divider + 1);
  if (kind === "user") return id === ownUserId ? "You" : "Another user";
  if (kind === "agent_run") return `Agent run ${id.slice(0, 8)}`;
  if (kind === "command") return id;
  if (kind === "conversation") return `Chat ${id.slice(0, 8)}`;
  return actor;
}
