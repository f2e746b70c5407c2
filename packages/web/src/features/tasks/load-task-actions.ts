import { loadLater } from "../../client/code-parts.ts";
import type { Client } from "../../client/client.ts";
import { LOAD_FAILURE } from "../../components/loadable.tsx";
import { toasts } from "../../components/toast.ts";
import type * as TaskActions from "./task-actions.ts";

const load = (): Promise<typeof TaskActions> => import("./task-actions.ts");
loadLater(load);

/** Loads what changes tasks, which the first screen does without. */
export const taskActions = {
  preload: async (): Promise<void> => void (await load()),
};

/** Changes tasks, in the order of the calls. */
export function changeTasks(client: Client, change: (actions: typeof TaskActions) => Promise<void>): void {
  load().then(
    (actions) => void change(actions),
    () => toasts(client).show(LOAD_FAILURE),
  );
}
