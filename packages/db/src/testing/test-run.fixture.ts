import { startTestCluster } from "./test-cluster.ts";

/** Stands in for a test run: starts a cluster, prints where its socket is, and waits. */
const cluster = await startTestCluster({ migrates: false });
process.stdout.write(`${cluster.address.host}\n`);
