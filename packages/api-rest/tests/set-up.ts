import { setUpTestCluster } from "@workspace/db/testing";

/** The database server of the whole run; each server under test gets a database of its own in it. */
export const setup = setUpTestCluster;
