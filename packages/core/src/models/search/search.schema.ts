import * as z from "zod";
import { timestamp } from "../../platform/procedures/response.ts";
import { MAX_CHOICES } from "../../platform/choices.ts";
import { SEARCH_KINDS } from "./search-sources.ts";

const MAX_QUERY_CHARACTERS = 1_000;

export const searchInput = z.object({
  q: z
    .string()
    .trim()
    .min(1, "is required")
    .max(MAX_QUERY_CHARACTERS, "must be at most 1,000 characters")
    .meta({ description: "Words to find. The last one may be the beginning of a word." }),
  kinds: z
    .array(z.enum(SEARCH_KINDS))
    .min(1, "must name a kind")
    .max(MAX_CHOICES)
    .optional()
    .meta({ description: "Only hits of these kinds; by default, of all kinds that the caller may read" }),
  limit: z.number().int().min(1).max(50).default(20),
});
export type Search = z.infer<typeof searchInput>;

const ranges = z.array(z.object({ start: z.number().int(), end: z.number().int() }));

export const searchHitSchema = z
  .object({
    kind: z.enum(SEARCH_KINDS),
    id: z.string(),
    title: z.string(),
    titleMatches: ranges.meta({ description: "Where words of the query stand in the title, in UTF-16 code units" }),
    excerpt: z
      .string()
      .nullable()
      .meta({ description: "Plain text on one line; null if there is no text but the title" }),
    excerptMatches: ranges,
    hasAllWords: z.boolean().meta({ description: "Whether it has all words of the query, not only some" }),
    occurredAt: timestamp.meta({ description: "When it was changed last, or happened" }),
    url: z.string().meta({ description: "Its page in the dashboard, relative to the server's address" }),
  })
  .meta({ id: "SearchHit" });
export type SearchHit = z.infer<typeof searchHitSchema>;
