import { clsx } from "clsx";
import { ListFilter } from "lucide-react";
import { useRef } from "react";
import { useShortcut } from "../shortcuts/use-shortcut.ts";

interface TextFilterProps {
  readonly text: string;
  /** Whether there is room for a sentence, where the text is more than a few words. */
  readonly isWide?: boolean;
  readonly onText: (text: string) => void;
}

/** A field that filters a list as the user types; Escape clears it, then leaves it. */
export function TextFilter({ text, isWide = false, onText }: TextFilterProps) {
  const ref = useRef<HTMLInputElement>(null);
  useShortcut("find", () => ref.current?.focus());
  return (
    <div className="relative mr-1 shrink-0">
      <ListFilter
        aria-hidden
        size={14}
        className="pointer-events-none absolute top-1/2 left-2 -translate-y-1/2 text-muted"
      />
      <input
        ref={ref}
        type="search"
        aria-label="Filter by text"
        placeholder="Filter"
        value={text}
        className={clsx(
          "h-(--control-height-small) rounded-control border border-border bg-background pr-2 pl-7 text-13 text-strong touch:text-16 [&::-webkit-search-cancel-button]:appearance-none",
          isWide ? "w-72 max-md:w-44" : "w-44 max-md:w-32",
        )}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          if (text === "") event.currentTarget.blur();
          else onText("");
        }}
      />
    </div>
  );
}
