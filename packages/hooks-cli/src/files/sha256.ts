/** The hash of a text, as 64 hexadecimal digits. Loads `node:crypto` on first use: most hooks never need it. */
export function sha256(text: string): string {
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(text, "utf8").digest("hex");
}
