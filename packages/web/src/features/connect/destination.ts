/** Whether a host name, as URLs have it, is one of this computer itself. */
export function isThisComputer(hostname: string): boolean {
  return /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
}

/** Who receives a program's key, by where the browser is sent with it: a program on this computer, or a site. */
export function describeDestination(redirectUri: string): string {
  const { protocol, host, hostname } = new URL(redirectUri);
  if (isThisComputer(hostname)) return `A program on this computer will receive its key, at ${host}.`;
  if (protocol === "https:") return `The site ${host} will receive its key.`;
  return `The program on this computer that opens addresses beginning with ${protocol} will receive its key.`;
}
