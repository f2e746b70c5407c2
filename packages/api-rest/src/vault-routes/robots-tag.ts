import type { ServerResponse } from "node:http";
import * as z from "zod";
import type { Route } from "../rest/routes.ts";

const publiclyShared = z.object({ data: z.object({ document: z.object({ shareType: z.literal("public") }) }) });

/** Keeps what is shared by link alone out of search engines when it is read through the API, as its page does. */
export function setRobotsTag(res: ServerResponse, { name }: Route, output: unknown): void {
  if (name !== "documents.public" || publiclyShared.safeParse(output).success) return;
  res.setHeader("X-Robots-Tag", "noindex");
}
