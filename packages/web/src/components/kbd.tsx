import { keyLabels } from "../shortcuts/key-labels.ts";

/** The keys of a shortcut, as they are labelled on the keyboard. */
export function Kbd({ keys }: { readonly keys: string }) {
  return (
    <span className="inline-flex shrink-0 gap-0.5">
      {keyLabels(keys).map((key, index) => (
        <kbd
          // The same key may occur twice in a sequence, so its index is the React key.
          key={index}
          className="inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-[4px] border border-border bg-background px-1 font-sans text-12 leading-none text-muted"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}
