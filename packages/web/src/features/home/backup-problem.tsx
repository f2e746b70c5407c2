import { FormAlert } from "../../components/form-alert.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { PROBLEM_TITLES } from "../settings/backup.ts";
import { ItemLink } from "./item-link.tsx";
import type { News } from "./news.ts";

/** That backups fail, which nobody would notice until one is needed. */
export function BackupProblem({ problem }: { readonly problem: NonNullable<News["backupProblem"]> }) {
  return (
    <FormAlert tone="danger">
      <span className="font-medium">{PROBLEM_TITLES[problem.kind]}</span>, <TimeAgo timestamp={problem.at} />.{" "}
      {problem.message}{" "}
      <ItemLink href="/settings?view=backups" className="font-medium underline">
        Backup settings
      </ItemLink>
    </FormAlert>
  );
}
