import type { Inputs, Outputs } from "../../api/api.ts";

/** A saved view of tasks. */
export type View = Outputs["taskViews"]["get"]["data"];
export type ViewSettings = View["settings"];
export type ViewPatch = Omit<Inputs["taskViews"]["update"], "id">;
