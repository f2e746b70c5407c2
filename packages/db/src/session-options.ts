import type { ClientConfig } from "pg";

/**
 * What every session must agree on: Prisma and our own parsers both take times without a look at their offset, in ISO
 * order. A transaction that its process has forgotten lets go of its locks.
 */
const SESSION_OPTIONS = "-c TimeZone=UTC -c DateStyle=ISO -c idle_in_transaction_session_timeout=60s";

/**
 * Adds to a configuration what all sessions of the service need. Options that the configuration or its connection string
 * already carries are kept, except where they contradict these.
 */
export function withSessionOptions<Config extends ClientConfig>(config: Config): Config & { options: string } {
  const { connectionString, optionsInString } = takeOptionsOut(config.connectionString);
  const options = [config.options, optionsInString, SESSION_OPTIONS].filter(Boolean).join(" ");
  return {
    application_name: "workspace",
    keepAlive: true,
    ...config,
    ...(connectionString === undefined ? {} : { connectionString }),
    options,
  };
}

/** pg lets a connection string's own `options` win over the ones given beside it, so they have to be taken out of it. */
function takeOptionsOut(connectionString: string | undefined) {
  if (connectionString === undefined || !connectionString.includes("options=")) {
    return { connectionString, optionsInString: undefined };
  }
  const url = new URL(connectionString);
  const optionsInString = url.searchParams.get("options") ?? undefined;
  url.searchParams.delete("options");
  return { connectionString: url.toString(), optionsInString };
}
