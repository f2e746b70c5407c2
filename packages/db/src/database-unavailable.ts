/** The messages of pg and pg-pool if the connection failed rather than the statement. These errors have no code. */
const MESSAGES = [
  "Connection terminated",
  "Client has encountered a connection error",
  "Client was closed and is not queryable",
  "timeout exceeded when trying to connect",
  "timeout expired",
  "Cannot use a pool after calling end on the pool",
] as const;

/**
 * System errors of a socket. ENOENT and EACCES are what a Unix socket reports instead of ECONNREFUSED, and EAGAIN if the server
 * accepts no connections and its queue is full.
 */
const SOCKET_CODES: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "EAGAIN",
  "ENOENT",
  "EACCES",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);
const SOCKET_CALLS: ReadonlySet<string> = new Set(["connect", "read", "write", "getaddrinfo"]);

/**
 * SQLSTATEs: connection exceptions (08), insufficient resources (53, except a full disk), too many connections, and sessions that
 * were ended by an administrator, a crash or an idle timeout, or refused because the server is starting.
 */
const SQL_STATE = /^(?:08[0-9A-Z]{3}|53[0234]00|57P0[1235])$/;

/**
 * Whether an error thrown by a query means that the database is unavailable, starting or overloaded, so that the same query may
 * well succeed later; the response to such a request is 503. Errors of the statement itself do not count.
 *
 * Only for errors of database calls: a refused connection to another server looks the same. For the same reason, an error's
 * `cause` is not considered.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // The host has several addresses.
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  if (MESSAGES.some((message) => error.message.includes(message))) return true;
  const code = field(error, "code");
  if (typeof code === "string" && SQL_STATE.test(code)) return true;
  return isOneOf(SOCKET_CODES, code) && isOneOf(SOCKET_CALLS, field(error, "syscall"));
}

function isOneOf(set: ReadonlySet<string>, value: unknown): boolean {
  return typeof value === "string" && set.has(value);
}

function field(error: Error, name: string): unknown {
  return Reflect.get(error, name);
}
