import type { ServerFrame } from "@workspace/core";

/** A change announced by the server. */
export type ResourceChange = Extract<ServerFrame, { type: "resource_change" }>;

/** The kinds of resources whose changes the server announces. */
export type Resource = ResourceChange["resource"];

export type Action = ResourceChange["action"];
