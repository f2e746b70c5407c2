import { SILENT_LOG } from "../../testing/test-cluster.ts";
import { startEmbeddedPostgres } from "../embedded-postgres.ts";
import { query } from "./queries.ts";
import type { ServiceReport } from "./service-process.ts";

const [dataDir = "", endsWithService] = process.argv.slice(2);
const embedded = await startEmbeddedPostgres({
  dataDir,
  log: SILENT_LOG,
  endsWithService: endsWithService === "true",
});
await query(embedded.poolConfig, "CREATE TABLE IF NOT EXISTS survivors (at timestamptz NOT NULL)");
await query(embedded.poolConfig, "INSERT INTO survivors VALUES (now())");
const report: ServiceReport = { postmasterPid: embedded.pid ?? 0, poolConfig: embedded.poolConfig };
process.stdout.write(`${JSON.stringify(report)}\n`);
