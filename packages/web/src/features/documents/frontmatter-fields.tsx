import { wordFrontmatterValue } from "./frontmatter-wording.ts";

/** Shown above, where they can be changed. */
const SHOWN_ELSEWHERE = new Set(["title", "tags"]);

/** The other fields that a note's frontmatter has, as they are. */
export function FrontmatterFields({ metadata }: { readonly metadata: Readonly<Record<string, unknown>> }) {
  const fields = Object.entries(metadata).filter(([name]) => !SHOWN_ELSEWHERE.has(name));
  if (fields.length === 0) return null;
  return (
    <section aria-labelledby="frontmatter" className="border-t border-border pt-4">
      <h2 id="frontmatter" className="mb-1 text-13 font-medium text-strong">
        Other fields
      </h2>
      <dl className="flex flex-col gap-1 text-13">
        {fields.map(([name, value]) => (
          <div key={name} className="flex gap-2">
            <dt className="w-20 shrink-0 truncate text-muted" title={name}>
              {name}
            </dt>
            <dd className="min-w-0 flex-1 text-normal [overflow-wrap:anywhere]">{wordFrontmatterValue(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
