import { useQuery } from "@tanstack/react-query";
import { trpc } from "../../api/trpc.ts";
import { useClient } from "../../client/use-client.ts";
import { LoadedSettings } from "../hooks/project-settings.tsx";
import { backupStatusQuery } from "./backup.ts";
import { BackupForm } from "./backup-form.tsx";
import { BackupList } from "./backup-list.tsx";
import { BackupState } from "./backup-state.tsx";
import { WorkspaceExport } from "./workspace-export.tsx";

/** Whether there are good backups, where and when they are made, and which there are. */
export default function BackupSettings() {
  const client = useClient();
  const settings = useQuery({ ...trpc(client).backups.settings.queryOptions(), select: ({ data }) => data });
  const status = useQuery({ ...backupStatusQuery(client), select: ({ data }) => data });
  const hasPlace = settings.data !== undefined && (settings.data.place ?? settings.data.environment.place) !== null;
  return (
    <div className="flex flex-col gap-8">
      <LoadedSettings query={status}>{(known) => <BackupState status={known} hasPlace={hasPlace} />}</LoadedSettings>
      <LoadedSettings query={settings}>
        {(stored) => <BackupForm key={stored.version} settings={stored} />}
      </LoadedSettings>
      {hasPlace && status.data !== undefined && (
        <BackupList status={status.data} settingsVersion={settings.data.version} />
      )}
      <WorkspaceExport />
    </div>
  );
}
