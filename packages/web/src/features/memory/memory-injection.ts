import { queryOptions } from "@tanstack/react-query";
import type { Outputs } from "../../api/api.ts";
import type { Client } from "../../client/client.ts";

export type Injection = Outputs["memory"]["listInjections"]["data"][number];

const MAX_SHOWN = 50;

/** The latest sessions that were given a memory. */
export function injectionsQuery(client: Client, id: string) {
  return queryOptions({
    queryKey: ["memory", "injections", id],
    queryFn: async ({ signal }) => {
      const page = await client.api.memory.listInjections.query({ id, limit: MAX_SHOWN }, { signal });
      return { injections: page.data, hasMore: page.nextCursor !== undefined };
    },
  });
}

/** For what a memory was given, in a sentence. */
export function describeOccasion({ reason, subject }: Pick<Injection, "reason" | "subject">): string {
  switch (reason) {
    case "session_start":
      return "At the start of the session";
    case "prompt":
      return subject === null ? "With a prompt" : `With the prompt “${subject.trim()}”`;
    case "file":
      return subject === null ? "When a file was opened" : `When ${subject} was opened`;
  }
}

/** Whether the session used it, and how that is known. */
export function describeUse({ usedAt, isUseVisible }: Pick<Injection, "usedAt" | "isUseVisible">): {
  label: string;
  detail: string;
} {
  if (usedAt !== null) {
    return {
      label: "Used",
      detail: "Something that only this memory says occurs in what the assistant did afterwards",
    };
  }
  return isUseVisible
    ? { label: "Not used", detail: "Nothing that only this memory says occurs in what the assistant did afterwards" }
    : {
        label: "Use unknown",
        detail: "It was not looked for yet, or the memory has no identifier, path or number to recognise it by",
      };
}
