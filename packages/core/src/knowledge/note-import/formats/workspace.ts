import { planPlain } from "./plain.ts";
import type { ArchiveEntry, PlanImport } from "./import-format.ts";

const VAULT = "vault/";
/** Identifies an export of a workspace. */
export const EXPORT_MARKER = "workspace-export.json";

export function isWorkspaceExport(entries: readonly ArchiveEntry[]): boolean {
  return entries.some(({ path }) => path === EXPORT_MARKER);
}

/** An export of this or another workspace: its vault, as it is. The rest are no notes. */
export const planWorkspace: PlanImport = async (entries, read) => {
  const files = entries.filter(({ path }) => path.startsWith(VAULT));
  const plan = await planPlain(files, read);
  return {
    ...plan,
    files: plan.files.map((file) => ({ ...file, target: file.entry.path.slice(VAULT.length) })),
  };
};
