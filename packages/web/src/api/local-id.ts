/**
 * An id for something that only this page knows yet. Not `crypto.randomUUID`, which browsers offer on secure origins only:
 * the service may be opened over plain http on a home network.
 */
export function newLocalId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `local-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

export function isLocalId(id: string): boolean {
  return id.startsWith("local-");
}
