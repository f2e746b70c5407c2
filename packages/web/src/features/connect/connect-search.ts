export const CONNECT_VIEWS = ["setup", "keys", "calendars", "credits"] as const;
export type ConnectView = (typeof CONNECT_VIEWS)[number];

/** The part of the page that the URL asks for; the first by default. */
export function parseConnectSearch(search: Record<string, unknown>): { view: ConnectView } {
  return { view: CONNECT_VIEWS.find((view) => view === search["view"]) ?? "setup" };
}
