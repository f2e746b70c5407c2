export const CONNECT_VIEWS = ["setup", "keys", "credits"] as const;
export type ConnectView = (typeof CONNECT_VIEWS)[number];

/** Which part of the page the address says; the first where it says none. */
export function parseConnectSearch(search: Record<string, unknown>): { view: ConnectView } {
  return { view: CONNECT_VIEWS.find((view) => view === search["view"]) ?? "setup" };
}
