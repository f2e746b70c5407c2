import type { ClientConfig } from "pg";

/**
 * The settings that all sessions must share: our parsers read times in ISO format without checking their offset. A transaction
 * that its process has forgotten releases its locks, and so does one whose process cannot be reached.
 */
const SESSION_OPTIONS =
  "-c TimeZone=UTC -c DateStyle=ISO -c idle_in_transaction_session_timeout=60s " +
  "-c tcp_keepalives_idle=15 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3 -c tcp_user_timeout=45s";

/** If either end of a connection vanishes silently, the other notices within about a minute. */
const KEEP_ALIVE_AFTER_MS = 15_000;

/**
 * Adds the settings that all sessions of the service need to a configuration. Options that the configuration or its connection
 * string already contains are kept unless they contradict these.
 */
export function withSessionOptions<Config extends ClientConfig>(config: Config): Config & { options: string } {
  const { connectionString, optionsInString } = takeOptionsOut(config);
  const options = [config.options, optionsInString, SESSION_OPTIONS].filter(Boolean).join(" ");
  return {
    application_name: "workspace",
    keepAlive: true,
    // Without a delay, the system's default applies, which is two hours.
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    ...config,
    ...(connectionString === undefined ? {} : { connectionString }),
    options,
  };
}

/**
 * In pg, the connection string takes precedence over other options, so `options`, and `application_name` if another one is given,
 * have to be removed from it.
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
