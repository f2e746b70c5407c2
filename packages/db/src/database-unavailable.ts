/** How pg, pg-pool and Prisma say that the connection, not the statement, failed. They carry no code. */
const MESSAGES = [
  "Connection terminated",
  "Client has encountered a connection error",
  "Client was closed and is not queryable",
  "timeout exceeded when trying to connect",
  "Cannot use a pool after calling end on the pool",
  "Unable to start a transaction in the given time",
] as const;

/** Errors of the operating system on a socket. ENOENT and EACCES are a Unix socket's way to say ECONNREFUSED. */
const SOCKET_CODES: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
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
 * SQLSTATEs: connection exceptions (08), too few resources (53; a full disk is another matter), too many connections, ended by an administrator, by a crash, for idling, or not
 * started yet.
 */
const SQL_STATE = /^(?:08[0-9A-Z]{3}|53[0234]00|57P0[1235])$/;

/** Prisma: not reachable, timed out, connection closed, no connection free. */
const PRISMA_CODES: ReadonlySet<string> = new Set(["P1001", "P1002", "P1008", "P1017", "P2024", "P2037"]);
const PRISMA_KINDS: ReadonlySet<string> = new Set([
  "DatabaseNotReachable",
  "ConnectionClosed",
  "SocketTimeout",
  "TooManyConnections",
]);

/**
 * Whether an error that a query threw means that the database is away, starting or overloaded, so that the same query
 * may well succeed later; such a request is answered with 503. An error of the statement itself is not of this kind.
 *
 * Only to be asked about errors of database calls: a refused connection to another server looks the same. For the same
 * reason it does not look into an error's `cause`.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // A host with several addresses.
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  if (MESSAGES.some((message) => error.message.includes(message))) return true;
  const code = field(error, "code");
  if (isUnavailableCode(code)) return true;
  // Prisma keeps the code of a system error, and drops the rest.
  const isFromPrisma = error.name.startsWith("PrismaClient");
  if (isOneOf(SOCKET_CODES, code) && (isFromPrisma || isOneOf(SOCKET_CALLS, field(error, "syscall")))) return true;
  const adapterError = field(field(field(error, "meta"), "driverAdapterError"), "cause") ?? adapterCause(error);
  return isOneOf(PRISMA_KINDS, field(adapterError, "kind")) || isUnavailableCode(field(adapterError, "originalCode"));
}

function isUnavailableCode(code: unknown): boolean {
  return typeof code === "string" && (SQL_STATE.test(code) || PRISMA_CODES.has(code));
}

/** Prisma's adapter throws these where no query is involved, such as at the start of a transaction. */
function adapterCause(error: Error): unknown {
  return error.name === "DriverAdapterError" ? error.cause : undefined;
}

function isOneOf(set: ReadonlySet<string>, value: unknown): boolean {
  return typeof value === "string" && set.has(value);
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Reflect.get(value, name);
}
