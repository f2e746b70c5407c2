export { setUpTestCluster } from "./testing/set-up-test-cluster.ts";
export { recordSyncs, type SyncRecord } from "./testing/record-syncs.ts";
export { startTestCluster, type TestCluster, type TestClusterAddress } from "./testing/test-cluster.ts";
export { createTestDatabase, type TestDatabase } from "./testing/test-database.ts";
export { startReplicatedDatabase, type ReplicatedDatabase } from "./testing/replicated-database.ts";
export { applySchema } from "./testing/apply-schema.ts";
export { findStatementProblems } from "./statements/statement-check.ts";
