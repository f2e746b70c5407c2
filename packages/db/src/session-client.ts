import { Client, type ClientConfig } from "pg";

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
const APPLY_SETTINGS = `SELECT pg_backend_pid() AS pid, ${Object.entries(SETTINGS)
  .map(([name, value]) => `set_config('${name}', '${value}', false)`)
  .join(", ")}`;

type ConnectCallback = ((error: Error) => void) | ((error: null, client: Client) => void);

/** A connection of the service to its database: pg's client, which has the settings that all sessions need once it is connected. */
export class SessionClient extends Client {
  readonly #timeoutMs: number;
  #backendPid = 0;

  constructor(config: ClientConfig = {}) {
    super(withDefaults(config));
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
    await super.connect();
    try {
      const statement = { text: APPLY_SETTINGS, query_timeout: this.#timeoutMs };
      const { rows } = await this.query<{ pid: number }>(statement);
      this.#backendPid = rows[0]?.pid ?? 0;
    } catch (error) {
      void this.end().catch(() => {});
      throw error;
    }
    return this;
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
