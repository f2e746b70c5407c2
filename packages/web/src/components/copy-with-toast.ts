import { copyText } from "../browser/clipboard.ts";
import type { Client } from "../client/client.ts";
import { toasts } from "./toast.ts";

/** Copies text from a menu, and says so: "Copied the link". `what` names it: "the link". */
export async function copyWithToast(client: Client, text: string, what: string): Promise<void> {
  if (await copyText(text)) toasts(client).show({ message: `Copied ${what}` });
  else showCopyRefused(client, what);
}

/** Says that the browser did not allow copying. */
export function showCopyRefused(client: Client, what: string): void {
  toasts(client).show({ message: `The browser did not allow copying ${what}`, tone: "danger" });
}
