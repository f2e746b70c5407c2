import { CLUSTER_PORT } from "./cluster.ts";

/**
 * Settings for a personal server: durable, at most 150 MB when idle, quiet. They are passed on the command line, where they take
 * precedence over files in the data directory, so that an upgrade of the service can change them.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  // Only reachable through the socket.
  listen_addresses: "",
  port: String(CLUSTER_PORT),
  unix_socket_permissions: "0700",
  max_connections: "50",

  // An acknowledged write survives kill -9 and power failures.
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",

  // Memory. Idle workers also cost memory, so there are few.
  shared_buffers: "64MB",
  maintenance_work_mem: "64MB",
  effective_cache_size: "512MB",
  io_method: "sync",
  max_worker_processes: "4",
  max_parallel_workers: "2",
  max_logical_replication_workers: "0",
  autovacuum_worker_slots: "2",
  autovacuum_max_workers: "2",

  // Compiling plans costs more than it saves at this size. Disks are assumed to be solid-state.
  jit: "off",
  random_page_cost: "1.1",

  // No replication. Checkpoints are far apart, but the log to be replayed after a crash stays small.
  wal_level: "minimal",
  max_wal_senders: "0",
  max_replication_slots: "0",
  min_wal_size: "80MB",
  max_wal_size: "512MB",
  checkpoint_timeout: "15min",

  // A query is cancelled if its client has disconnected.
  client_connection_check_interval: "10s",

  TimeZone: "UTC",
  log_timezone: "UTC",

  // Parsed by server-log.ts. Neither statements nor values are ever logged: they are the user's data.
  lc_messages: "C",
  log_destination: "stderr",
  logging_collector: "off",
  log_line_prefix: "%e ",
  log_min_messages: "warning",
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
  log_statement: "none",
  log_checkpoints: "off",
};

/** Settings that override the defaults, for a cluster whose data may be lost, as in tests. */
export type ServerSettings = Readonly<Record<string, string>>;

/** Settings that older majors do not know, by the major that introduced them. A server refuses to start with an unknown one. */
const INTRODUCED_IN: Readonly<Record<string, number>> = { io_method: 18, autovacuum_worker_slots: 18 };

/** The arguments of `postgres` that apply the settings to a server of a major version. */
export function serverArguments(overrides: ServerSettings, majorVersion: string): string[] {
  const known = Object.entries({ ...SETTINGS, ...overrides }).filter(
    ([name]) => (INTRODUCED_IN[name] ?? 0) <= Number(majorVersion),
  );
  return known.flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}
