import type { SearchKind } from "./search-sources.ts";

/** The page of the dashboard that shows a hit. A secret is named by its title, a turn of a session by the other part. */
export function urlOf(
  kind: SearchKind,
  id: string,
  { title, urlPart }: { readonly title: string; readonly urlPart?: string | undefined },
): string {
  switch (kind) {
    case "task":
      return page("/tasks", { task: id });
    case "document":
      return page("/documents", { doc: id });
    case "conversation":
      return page("/chat", { conversation: id });
    case "memory":
      return page("/memory", { memory: id });
    case "session":
      return page(`/hooks/sessions/${encodeURIComponent(id)}`, urlPart === undefined ? {} : { turn: urlPart });
    case "agent":
      return page(`/agents/${encodeURIComponent(id)}`, {});
    case "run":
      return page(`/agents/${encodeURIComponent(urlPart ?? "")}`, { run: id });
    case "secret":
      return page("/secrets", { secret: title });
  }
}

function page(path: string, search: Record<string, string>): string {
  const parameters = new URLSearchParams(search).toString();
  return parameters === "" ? path : `${path}?${parameters}`;
}
