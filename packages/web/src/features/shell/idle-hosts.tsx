import { useEffect } from "react";
import { useClient } from "../../client/use-client.ts";
import Toaster from "../../components/toaster.tsx";
import { TooltipHost } from "../../components/tooltip-host.tsx";
import { useAbandonedDrafts } from "../documents/session/use-abandoned-drafts.ts";
import VisitRecorder from "../shelf/visit-recorder.tsx";
import { ReminderToasts } from "../tasks/reminder-toasts.tsx";
import { taskReader } from "../tasks/task-reader.ts";

/** What every page has once its first screen is shown. */
export default function IdleHosts() {
  const client = useClient();
  useAbandonedDrafts();
  useEffect(() => void taskReader(client).preload(), [client]);
  return (
    <>
      <TooltipHost />
      <Toaster />
      <ReminderToasts />
      <VisitRecorder />
    </>
  );
}
