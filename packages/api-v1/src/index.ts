import { capabilities, listOperations } from "@workspace/core";

/** The operations of `/api/v1`: the procedures that declare `v1`, each with its scope. */
export const v1Operations = listOperations(capabilities, "v1");
