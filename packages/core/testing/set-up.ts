import { setUpTestCluster } from "@workspace/db/testing";

/** Starts one database server for the whole run, in which each test creates its own database. */
export const setup = setUpTestCluster;
