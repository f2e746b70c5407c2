export { createDb, type Db } from "./db.ts";
export { awaitServer, DatabaseServerError } from "./server-requirements.ts";
export { findWriteProblem, type WriteProblem } from "./write-problem.ts";
export { isDatabaseUnavailable } from "./database-unavailable.ts";
export { isUniqueViolation } from "./unique-violation.ts";
export { externalDatabase, urlPerHost } from "./database-hosts.ts";
export { SessionClient } from "./session-client.ts";
export { poolWithin, transaction } from "./transaction.ts";
export { column, type Column, type Columns, type RowOf } from "./statements/column.ts";
export {
  declaredStatements,
  defineCommand,
  defineComposedCommand,
  defineComposedQuery,
  defineQuery,
  type Bind,
  type Command,
  type DeclaredStatement,
  type Query,
  type Queryable,
} from "./statements/statement.ts";
export { traced, TRACED_WORK_CHANNEL, type AttributeValue, type TracedWork } from "./tracing.ts";
export { createListener, type Listener } from "./listener.ts";
export { migrate, type MigrateOptions } from "./migrations/migrate.ts";
export { defaultMigrationsDir } from "./package-files.ts";
export { readMigrationState, type MigrationState } from "./migrations/migration-state.ts";
export { MigrationError } from "./migrations/migration-error.ts";
export {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from "./embedded/embedded-postgres.ts";
export {
  finishReplacement,
  hasClusterFolder,
  readClusterVersions,
  replaceCluster,
  replacementDir,
  setAsideMovedCluster,
  type ClusterVersions,
} from "./embedded/cluster-replacement.ts";
export { assertNotMoved, readMovedTo } from "./embedded/moved-database.ts";
export { findRunningPostgres, type RunningPostgres } from "./embedded/running-postgres.ts";
export { EmbeddedPostgresError } from "./embedded/embedded-postgres-error.ts";
export type { EmbeddedPostgresState } from "./embedded/supervisor.ts";
export { DataDirInUseError, lockDataDir, type InstanceLock } from "./instance-lock.ts";
export { makeDirectory } from "./make-directory.ts";
export type { Log } from "./log.ts";
export * from "./generated/enums.ts";
export type { Pool, PoolClient, PoolConfig } from "pg";
