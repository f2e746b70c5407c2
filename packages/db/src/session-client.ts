import { Client, type ClientConfig } from "pg";
import { urlPerHost, type ExternalDatabase } from "./database-hosts.ts";

/**
 * The settings that all sessions must share: our parsers read times in ISO format without checking their offset. A transaction
 * that its process has forgotten releases its locks, and so does one whose process cannot be reached.
 */
const SETTINGS = {
  TimeZone: "UTC",
  DateStyle: "ISO",
  idle_in_transaction_session_timeout: "60s",
  tcp_keepalives_idle: "15",
  tcp_keepalives_interval: "10",
  tcp_keepalives_count: "3",
  tcp_user_timeout: "45s",
};

/** If either end of a connection vanishes silently, the other notices within about a minute. */
const KEEP_ALIVE_AFTER_MS = 15_000;
const DEFAULT_TIMEOUT_MS = 10_000;

/** Sets them by a statement: connection poolers refuse those that are sent while connecting, or ignore them. */
const APPLY_SETTINGS = `SELECT pg_backend_pid() AS pid, pg_is_in_recovery() AS "isStandby", ${Object.entries(SETTINGS)
  .map(([name, value]) => `set_config('${name}', '${value}', false)`)
  .join(", ")}`;

type ConnectCallback = ((error: Error) => void) | ((error: null, client: Client) => void);

export type SessionConfig = ClientConfig & Partial<Pick<ExternalDatabase, "current">>;

/** A server that only reads, although another of the database's servers may accept writes. With the code of one that is starting. */
class StandbyError extends Error {
  override readonly name = "StandbyError";
  readonly code = "57P03";
}

/**
 * A connection of the service to its database: pg's client, which has the settings that all sessions need once it is connected. If the
 * database has several servers, it connects to the current one, and if that fails or is a standby, the next client tries the next one.
 */
export class SessionClient extends Client {
  readonly #servers: { readonly count: number; readonly index: number; readonly current: { index: number } };
  readonly #timeoutMs: number;
  #backendPid = 0;

  constructor(config: SessionConfig = {}) {
    const { connectionString, current = { index: 0 } } = config;
    const urls = connectionString === undefined ? [] : urlPerHost(connectionString);
    const url = urls[current.index];
    super(withDefaults({ ...config, ...(url !== undefined && { connectionString: url }) }));
    this.#servers = { count: urls.length, index: current.index, current };
    this.#timeoutMs = config.connectionTimeoutMillis ?? DEFAULT_TIMEOUT_MS;
  }

  /** The process of the server that executes this session's statements; 0 before it is connected. */
  get backendPid(): number {
    return this.#backendPid;
  }

  /**
   * Whether something between this client and the server, such as PgBouncer, assigns connections to clients: it announces other process
   * ids than the server's. The library has this property but omits it from its types.
   */
  get isPooled(): boolean {
    return this.#backendPid !== Reflect.get(this, "processID");
  }

  override connect(): Promise<Client>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<Client> | void {
    const connected = this.#connect();
    if (callback === undefined) return connected;
    connected.then(
      (client): unknown => Reflect.apply(callback, undefined, [null, client]),
      (error: unknown): unknown => Reflect.apply(callback, undefined, [error]),
    );
  }

  async #connect(): Promise<Client> {
    try {
      await super.connect();
      await this.#begin();
      return this;
    } catch (error) {
      this.#tryNextServer();
      throw error;
    }
  }

  async #begin(): Promise<void> {
    try {
      const statement = { text: APPLY_SETTINGS, query_timeout: this.#timeoutMs };
      const { rows } = await this.query<{ pid: number; isStandby: boolean }>(statement);
      this.#backendPid = rows[0]?.pid ?? 0;
      if (rows[0]?.isStandby === true && this.#servers.count > 1)
        throw new StandbyError(`The server at ${this.host}:${this.port} is a standby.`);
    } catch (error) {
      void this.end().catch(() => {});
      throw error;
    }
  }

  /** Unless another client has already moved on. */
  #tryNextServer(): void {
    const { count, index, current } = this.#servers;
    if (current.index === index && count > 1) current.index = (index + 1) % count;
  }
}

function withDefaults(config: ClientConfig): ClientConfig {
  return {
    application_name: "workspace",
    keepAlive: true,
    // Without a delay, the system's default applies, which is two hours.
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    ...config,
    ...withoutName(config),
  };
}

/** In pg, the connection string takes precedence over other options, so `application_name` is removed from it if another one is given. */
function withoutName({ connectionString, application_name: name }: ClientConfig): ClientConfig {
  if (connectionString === undefined || name === undefined || !connectionString.includes("application_name="))
    return {};
  const url = new URL(connectionString);
  url.searchParams.delete("application_name");
  return { connectionString: url.toString() };
}
