import { useRouter } from "@tanstack/react-router";
import { useClient } from "../../client/use-client.ts";
import { floating, type MenuItem } from "../../components/floating.ts";
import { LOAD_FAILURE } from "../../components/loadable.tsx";
import { toasts } from "../../components/toast.ts";

/** Returns a function that opens a menu with what concerns the user beside an element, after other items. */
export function useAccountMenu(label: string, before: readonly MenuItem[] = []): (anchor: HTMLElement) => void {
  const client = useClient();
  const router = useRouter();
  return (anchor) => {
    // Not on the first screen, whose size is limited.
    void import("./account-actions.tsx").then(
      ({ accountActions }) => floating(client).openMenu(anchor, label, [...before, ...accountActions(client, router)]),
      () => toasts(client).show(LOAD_FAILURE),
    );
  };
}
