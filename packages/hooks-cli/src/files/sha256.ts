/** The hash of a text, as 64 hexadecimal digits. Loads `node:crypto` when it is first asked: most hooks never ask. */
export function sha256(text: string): string {
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(text, "utf8").digest("hex");
}
