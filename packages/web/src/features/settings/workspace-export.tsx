import { Download } from "lucide-react";
import { atBase } from "../../browser/base-path.ts";
import { Button } from "../../components/button.tsx";

const EXPORT_URL = atBase("/api/export");

/** Everything that people have made, to be taken elsewhere. */
export function WorkspaceExport() {
  return (
    <section aria-labelledby="export" className="flex flex-col gap-3">
      <header className="flex flex-col gap-1">
        <h2 id="export" className="text-16 font-semibold text-strong">
          Export
        </h2>
        <p className="text-pretty text-normal">
          A ZIP archive with notes and files as they are, and tasks, memories, agents and chats as JSON, for other
          programs or another workspace. Secrets, versions and what was deleted are in backups only.
        </p>
      </header>
      <div>
        <Button
          size="small"
          icon={<Download aria-hidden size={14} />}
          onClick={() => window.location.assign(EXPORT_URL)}
        >
          Export everything
        </Button>
      </div>
    </section>
  );
}
