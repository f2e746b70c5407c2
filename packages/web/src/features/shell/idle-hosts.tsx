import { ReminderToasts } from "../tasks/reminder-toasts.tsx";
import Toaster from "../../components/toaster.tsx";
import { TooltipHost } from "../../components/tooltip-host.tsx";
import VisitRecorder from "../shelf/visit-recorder.tsx";

/** What every page has once its first screen is shown. */
export default function IdleHosts() {
  return (
    <>
      <TooltipHost />
      <Toaster />
      <ReminderToasts />
      <VisitRecorder />
    </>
  );
}
