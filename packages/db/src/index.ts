export { createDb, type Db } from "./db.ts";
export { awaitServer, DatabaseServerError } from "./server-requirements.ts";
export { findWriteProblem, type WriteProblem } from "./write-problem.ts";
export { isDatabaseUnavailable } from "./database-unavailable.ts";
export { transaction } from "./transaction.ts";
export { createListener, type Listener } from "./listener.ts";
export { migrate, type MigrateOptions } from "./migrations/migrate.ts";
export { MigrationError } from "./migrations/migration-error.ts";
export {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from "./embedded/embedded-postgres.ts";
export { EmbeddedPostgresError } from "./embedded/embedded-postgres-error.ts";
export type { EmbeddedPostgresState } from "./embedded/supervisor.ts";
export { DataDirInUseError, lockDataDir, type InstanceLock } from "./instance-lock.ts";
export type { Log } from "./log.ts";
export { Prisma, type PrismaClient } from "./generated/client.ts";
export * from "./generated/enums.ts";
export type { Pool, PoolClient, PoolConfig } from "pg";
