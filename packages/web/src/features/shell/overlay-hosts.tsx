import { useEffect, useState } from "react";
import type { Client } from "../../client/client.ts";
import { firstData } from "../../client/first-data.ts";
import { useStore } from "../../client/store.ts";
import { useClient } from "../../client/use-client.ts";
import { floating } from "../../components/floating.ts";
import { loadable, preloadAll } from "../../components/loadable.tsx";
import { taskActions } from "../tasks/load-task-actions.ts";
import { dialogs } from "./dialogs.ts";
import { TaskPanel } from "./task-panel-slot.tsx";

// None of these is needed for the first screen, so each is loaded on first use.
const IdleHosts = loadable(async () => (await import("./idle-hosts.tsx")).default);
const FloatingHost = loadable(async () => (await import("../../components/floating-host.tsx")).default);
const DialogHost = loadable(async () => {
  const { default: Host, preloadDialogs } = await import("./dialog-host.tsx");
  void preloadDialogs();
  return Host;
});

const IDLE_DELAY_MS = 600;
const ALL_CODE_DELAY_MS = 3_000;

/** Everything that floats above the pages. */
export function OverlayHosts() {
  const client = useClient();
  const isIdle = useIsIdle(client);
  const popup = useStore(floating(client).current);
  const dialog = useStore(dialogs(client).current);
  return (
    <>
      {isIdle && <IdleHosts />}
      {popup !== null && <FloatingHost />}
      {dialog !== null && (
        <DialogHost dialog={dialog} onClose={dialogs(client).close} onLoadFailure={dialogs(client).close} />
      )}
    </>
  );
}

async function prepare(client: Client): Promise<void> {
  await (await import("./prepare-for-absence.ts")).prepareForAbsence(client);
}

/** True once the first screen is shown; what will probably be needed next is then preloaded, and everything else later. */
function useIsIdle(client: Client): boolean {
  const [isIdle, setIsIdle] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isMounted = true;
    void firstData(client).shown.then(() => {
      if (!isMounted) return;
      timer = setTimeout(() => {
        setIsIdle(true);
        void preloadAll([FloatingHost, TaskPanel, DialogHost, taskActions]);
        void import("../tasks/task-pickers.tsx").then(({ PICKERS }) => preloadAll(PICKERS)).catch(() => undefined);
      }, IDLE_DELAY_MS);
    });
    // A failure is reported when the part is opened.
    const later = setTimeout(() => void prepare(client).catch(() => undefined), ALL_CODE_DELAY_MS);
    return () => {
      isMounted = false;
      clearTimeout(timer);
      clearTimeout(later);
    };
  }, [client]);
  return isIdle;
}
