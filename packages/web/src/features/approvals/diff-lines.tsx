import { clsx } from "clsx";
import { visibleText } from "./visible-text.ts";

/** A unified diff, with added and removed lines told apart by sign and colour. */
export function DiffLines({ diff }: { readonly diff: string }) {
  return (
    <pre
      tabIndex={0}
      aria-label="Changes"
      className="max-h-96 overflow-auto rounded-control border border-border bg-background py-1 font-mono text-12"
    >
      {visibleText(diff)
        .split("\n")
        .map((line, index) => (
          <span key={index} className={clsx("block min-w-max px-3", toneOf(line))}>
            {line === "" ? " " : line}
          </span>
        ))}
    </pre>
  );
}

function toneOf(line: string): string {
  if (line.startsWith("+")) return "bg-success/10 text-strong";
  if (line.startsWith("-")) return "bg-danger/10 text-strong";
  return line.startsWith("@@") ? "text-muted" : "text-normal";
}
