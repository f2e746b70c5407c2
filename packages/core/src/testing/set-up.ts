import { setUpTestCluster } from "@workspace/db/testing";

/** The database server of the whole run; each test gets a database of its own in it. */
export const setup = setUpTestCluster;
