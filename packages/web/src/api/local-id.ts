/** An id for something that only this page knows yet. */
export function newLocalId(): string {
  return `local-${randomHex()}`;
}

/**
 * A random UUID (version 4). Not `crypto.randomUUID`, which browsers offer on secure origins only: the service may be opened over plain
 * http on a home network.
 */
export function newUuid(): string {
  return toUuid(randomHex());
}

/** The id that the server gives to what was created here under a temporary one, if it lets its clients choose: always the same. */
export function chosenIdOf(localId: string): string {
  return toUuid(localId.replace(/^local-/, ""));
}

function toUuid(hex: string): string {
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-a$4-$5");
}

function randomHex(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function isLocalId(id: string): boolean {
  return id.startsWith("local-");
}
