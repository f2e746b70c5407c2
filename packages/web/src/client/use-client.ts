import { createContext, use } from "react";
import type { Client } from "./client.ts";

const ClientContext = createContext<Client | null>(null);

/** Provides the client to all components below. */
export const ClientProvider = ClientContext.Provider;

/** The client of the page. */
export function useClient(): Client {
  const client = use(ClientContext);
  if (client === null) throw new Error("useClient needs a ClientProvider above the component.");
  return client;
}
