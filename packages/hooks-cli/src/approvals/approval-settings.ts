import { tryReadRecord, writeFileAtomic } from "../files/atomic-file.ts";
import type { Home } from "../files/home.ts";
import { type JsonRecord, arrayAt, isRecord, numberAt } from "../json/json-value.ts";
import type { Project } from "../project/project.ts";

/** Where a person is asked about the calls of a project, as the dashboard last had it. */
export interface ApprovalSettings {
  /** How long to wait for a decision in the dashboard; 0: the assistant asks at once. */
  readonly waitMs: number;
  /** The digests of calls that a person has allowed in this project. */
  readonly allowed: ReadonlySet<string>;
}

export function readApprovalSettings(home: Home, { identity, root }: Project): ApprovalSettings {
  const settings = tryReadRecord(home.approvalSettings) ?? {};
  const isOfProject = ({ project }: JsonRecord): boolean => project === identity || project === root;
  const own = (arrayAt(settings, "projects") ?? []).filter(isRecord).find(isOfProject);
  const allowances = (arrayAt(settings, "allowances") ?? []).filter(isRecord).filter(isOfProject);
  return {
    waitMs: 1_000 * (numberAt(own ?? settings, "waitSeconds") ?? 0),
    allowed: new Set(allowances.flatMap(({ digest }) => (typeof digest === "string" ? [digest] : []))),
  };
}

/** Keeps the settings of the dashboard for later hooks. */
export function storeApprovalSettings(home: Home, settings: JsonRecord): void {
  const known = tryReadRecord(home.approvalSettings);
  if (JSON.stringify(known) === JSON.stringify(settings)) return;
  writeFileAtomic(home.approvalSettings, JSON.stringify(settings));
}
