const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/** Whether a host name, as URLs have it, is one of this machine itself. */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}
