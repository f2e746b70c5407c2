import { printedKeys } from "../shortcuts/key-wording.ts";

/** The keys of a shortcut, as they are printed on the keyboard. */
export function Kbd({ keys }: { readonly keys: string }) {
  return (
    <span className="inline-flex shrink-0 gap-0.5">
      {printedKeys(keys).map((key, index) => (
        <kbd
          // The same key may come twice in a sequence; its place is what tells it apart.
          key={index}
          className="inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-[4px] border border-border bg-background px-1 font-sans text-12 leading-none text-muted"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}
