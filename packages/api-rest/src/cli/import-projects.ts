import { createProjectInput, readArchivedText } from "@workspace/core";
import * as z from "zod";
import type { CommandServices } from "./command-services.ts";
import { UsageError } from "./command.ts";

const PROJECTS_FILE = "projects.json";
const projectsSchema = z.array(createProjectInput.required({ id: true }));

export type ExportedProject = z.output<typeof projectsSchema>[number];

/** The projects in an export of a workspace. Throws {@link UsageError} if the file is damaged. */
export async function readExportedProjects(archive: string): Promise<readonly ExportedProject[]> {
  const content = (await readArchivedText(archive, PROJECTS_FILE)) ?? "[]";
  try {
    return projectsSchema.parse(JSON.parse(content));
  } catch (cause) {
    throw new UsageError(`import: ${PROJECTS_FILE} in the archive is not that of an export`, { cause });
  }
}

/** Creates the projects of whose names there are none yet, and returns how many those are. A dry run creates nothing. */
export async function importProjects(
  { projects }: CommandServices["services"],
  exported: readonly ExportedProject[],
  { dryRun }: { readonly dryRun: boolean },
): Promise<{ createdCount: number; knownCount: number }> {
  const names = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await projects.list({ cursor });
    for (const { name } of page.items) names.add(name);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  const fresh = exported.filter(({ name }) => !names.has(name));
  if (!dryRun) for (const project of fresh) await projects.create(project);
  return { createdCount: fresh.length, knownCount: exported.length - fresh.length };
}
