import { useEffect } from "react";
import { firstData } from "../../../client/first-data.ts";
import { useClient } from "../../../client/use-client.ts";
import type { Vault } from "../vault/vault-store.ts";

/** Keeps the texts of templates in this browser, so that notes begin with them while the server is away. */
export function useKeptTemplates({ documents, isComplete }: Vault): void {
  const client = useClient();
  useEffect(() => {
    if (!isComplete) return;
    const keep = async () => {
      await firstData(client).shown;
      const { keepTemplates } = await import("./kept-templates.ts");
      await keepTemplates(client, documents);
    };
    // What fails is read when the documents change, or at the next visit.
    void keep().catch(() => undefined);
  }, [client, documents, isComplete]);
}
