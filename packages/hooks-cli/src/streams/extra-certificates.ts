/**
 * What the commands in settings files pass on of NODE_EXTRA_CA_CERTS, which they clear: on Node 20, a process that has it reads and
 * parses all of the file at once, for 60 ms with the usual one of a system, whether it needs TLS or not.
 */
export const EXTRA_CERTIFICATES_VARIABLE = "WORKSPACE_HOOKS_EXTRA_CA_CERTS";

/**
 * The certificates that a TLS connection is to trust, if the user has some of their own. Like Node, ignores a file that cannot
 * be read.
 */
export function trustedCertificates(): readonly string[] | undefined {
  // oxlint-disable-next-line node/no-process-env -- It stands for a variable that Node itself would read.
  const file = process.env[EXTRA_CERTIFICATES_VARIABLE] ?? "";
  if (file === "") return undefined;
  try {
    const extra = process.getBuiltinModule("node:fs").readFileSync(file, "utf8");
    return [...process.getBuiltinModule("node:tls").rootCertificates, extra];
  } catch {
    return undefined;
  }
}
