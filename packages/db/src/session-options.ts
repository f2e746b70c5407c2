import type { ClientConfig } from "pg";

/**
 * What every session must agree on: Prisma and our own parsers both take times without a look at their offset, in ISO
 * order. A transaction that its process has forgotten lets go of its locks, and so does one whose process cannot be reached.
 */
const SESSION_OPTIONS =
  "-c TimeZone=UTC -c DateStyle=ISO -c idle_in_transaction_session_timeout=60s " +
  "-c tcp_keepalives_idle=15 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3 -c tcp_user_timeout=45s";

/** A connection whose other end has vanished without a word is noticed by both ends within about a minute. */
const KEEP_ALIVE_AFTER_MS = 15_000;

/**
 * Adds to a configuration what all sessions of the service need. Options that the configuration or its connection string
 * already carries are kept, except where they contradict these.
 */
export function withSessionOptions<Config extends ClientConfig>(config: Config): Config & { options: string } {
  const { connectionString, optionsInString } = takeOptionsOut(config);
  const options = [config.options, optionsInString, SESSION_OPTIONS].filter(Boolean).join(" ");
  return {
    application_name: "workspace",
    keepAlive: true,
    // Without a delay the system's default counts, which is two hours.
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    ...config,
    ...(connectionString === undefined ? {} : { connectionString }),
    options,
  };
}

/**
 * pg lets what a connection string carries win over what is given beside it, so `options`, and a name where another one is
 * given, have to be taken out of it.
 */
function takeOptionsOut({ connectionString, application_name: name }: ClientConfig) {
  if (connectionString === undefined || !/options=|application_name=/.test(connectionString)) {
    return { connectionString, optionsInString: undefined };
  }
  const url = new URL(connectionString);
  const optionsInString = url.searchParams.get("options") ?? undefined;
  url.searchParams.delete("options");
  if (name !== undefined) url.searchParams.delete("application_name");
  return { connectionString: url.toString(), optionsInString };
}
