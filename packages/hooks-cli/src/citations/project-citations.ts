import * as fs from "node:fs";
import type { Connection } from "../delivery/api-call.ts";
import { type ContextQuestion, getCitations, postCitationChecks } from "../delivery/workspace-api.ts";
import { ensurePrivateDir, tryReadRecord, writeFileAtomic } from "../files/atomic-file.ts";
import type { Home } from "../files/home.ts";
import { arrayAt } from "../json/json-value.ts";
import { citationFile } from "../memory/index-file.ts";
import { findHead } from "../project/project.ts";
import { type CitationCheck, checkCitations, isNews } from "./check-citations.ts";
import { type Citation, readCitation } from "./citation.ts";
import { citeFirst } from "./first-check.ts";
import { ProjectFiles } from "./project-files.ts";

const MAX_CITATIONS = 500;
/** A helper has more time than a hook. */
const CHECK_MS = 500;

/** What the memories of a project rest on, as the server last had it. */
export function readCitations(home: Home, identity: string): Citation[] {
  const record = tryReadRecord(citationFile(home, identity));
  const isOfProject = record?.["project"] === identity;
  return isOfProject ? (arrayAt(record, "citations") ?? []).flatMap(readCitation) : [];
}

/**
 * The memories that rest on lines which are not there any more, as far as that can be found out within a time; without those of
 * which the server knows, which someone may have confirmed since.
 */
export function findBrokenMemories(citations: readonly Citation[], root: string, limitMs: number): string[] {
  if (citations.length === 0) return [];
  const end = performance.now() + limitMs;
  const held = citations.filter(({ state }) => state === "holds");
  const checks = checkCitations(new ProjectFiles(root), held, () => performance.now() > end);
  return [...new Set(checks.filter(({ holds }) => !holds).map(({ citation }) => citation.memoryId))];
}

/**
 * Fetches what the memories of a project rest on, looks for it in the project's files, and reports what has changed. Takes the
 * fingerprints of lines that are cited for the first time.
 */
export async function refreshCitations(
  home: Home,
  connection: Connection,
  project: ContextQuestion["project"] & { readonly root: string },
  deadlineMs: number,
): Promise<void> {
  const listed = await getCitations(connection, project, MAX_CITATIONS, deadlineMs);
  if (listed.kind !== "ok") return;
  const end = performance.now() + CHECK_MS;
  const files = new ProjectFiles(project.root);
  const checks = checkCitations(files, listed.value, () => performance.now() > end, citeFirst);
  const news = checks.filter(isNews);
  const commit = findHead(project.root);
  if (news.length > 0) {
    const reported = await postCitationChecks(
      connection,
      news.map((check) => toReport(check, commit)),
      deadlineMs,
    );
    if (reported.kind !== "ok") return;
  }
  storeCitations(home, project.identity, withNews(listed.value, news));
}

function toReport({ citation, holds, found }: CitationCheck, commit: string | undefined) {
  return { id: citation.id, holds, ...found, ...(found?.fingerprint !== undefined && { commit }) };
}

function storeCitations(home: Home, project: string, citations: readonly Citation[]): void {
  const path = citationFile(home, project);
  if (citations.length === 0) return fs.rmSync(path, { force: true });
  ensurePrivateDir(home.indexes);
  writeFileAtomic(path, JSON.stringify({ project, citations }));
}

function withNews(citations: readonly Citation[], news: readonly CitationCheck[]): Citation[] {
  const byId = new Map(news.map((check) => [check.citation.id, check]));
  return citations.map((citation) => {
    const check = byId.get(citation.id);
    return check === undefined ? citation : { ...citation, ...check.found, state: check.holds ? "holds" : "broken" };
  });
}
