import type { Inputs, Outputs } from "../../api/api.ts";

export type Project = Outputs["projects"]["get"]["data"];
export type NewProject = Inputs["projects"]["create"];
export type ProjectPatch = Omit<Inputs["projects"]["update"], "id">;

export { DEFAULT_PROJECT_COLOR, isHexColor, PROJECT_COLORS } from "../../components/colors.ts";
