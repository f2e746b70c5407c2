import type { SearchHit } from "./palette-search.ts";

/** A text with the words that were searched for standing out. */
export function MarkedText({ text, ranges }: { text: string; ranges: SearchHit["titleMatches"] }) {
  return ranges.reduceRight<(string | React.JSX.Element)[]>(
    ([rest, ...marked], { start, end }) => {
      const before = typeof rest === "string" ? rest : "";
      return [
        before.slice(0, start),
        <mark key={start} className="bg-transparent font-semibold text-strong">
          {before.slice(start, end)}
        </mark>,
        before.slice(end),
        ...marked,
      ];
    },
    [text],
  );
}
