import { relative } from "node:path";
import { BaseSequencer } from "vitest/node";

/**
 * Files that take far longer than their size suggests, by which vitest orders what it has not run before. Started last, each would
 * be left alone at the end, while the other cores are idle.
 */
const SLOW = [
  "e2e/src/hostile-notes.test.ts",
  "e2e/src/screens.test.ts",
  "e2e/src/vault-reading.test.ts",
  "e2e/src/documents-appearance.test.ts",
  "packages/hooks-cli/tests/kept-calls.test.ts",
  "packages/hooks-cli/tests/steering.test.ts",
  "packages/hooks-cli/tests/rounds.test.ts",
  "packages/hooks-cli/tests/undo-faults.test.ts",
  "packages/hooks-cli/tests/install-packs.test.ts",
  "packages/hooks-cli/tests/doctor.test.ts",
  "packages/hooks-cli/tests/launcher.test.ts",
  "packages/hooks-cli/src/undo/undo.test.ts",
  "packages/core/src/knowledge/vault/legacy-data.test.ts",
  "packages/core/src/knowledge/vault/durable-write.faults.test.ts",
  "packages/api-rest/src/http/unread-responses.test.ts",
];

/**
 * Vitest's order, in which these files are the first of their projects. Unit tests come last, because files that take milliseconds
 * keep all cores busy to the end; a worker starts anew for each project, so the projects are not mixed.
 */
export class SlowestFirst extends BaseSequencer {
  async sort(files) {
    const isSlow = ({ moduleId }) => SLOW.includes(relative(this.ctx.config.root, moduleId));
    const projects = new Map();
    // oxlint-disable-next-line unicorn/no-array-sort -- It is vitest's, and returns another array.
    for (const file of await super.sort(files)) {
      const { name } = file.project;
      const sorted = projects.get(name) ?? { slow: [], others: [] };
      projects.set(name, sorted);
      (isSlow(file) ? sorted.slow : sorted.others).push(file);
    }
    const rank = ([name, { slow }]) => (name.endsWith("-unit") ? (slow.length > 0 ? 1 : 2) : 0);
    return [...projects]
      .toSorted((one, other) => rank(one) - rank(other))
      .flatMap(([, { slow, others }]) => [...slow, ...others]);
  }
}
