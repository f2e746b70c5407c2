import { Suspense, type MouseEvent, type ReactNode } from "react";
import { useClient } from "../client/use-client.ts";
import { Button } from "../components/button.tsx";
import { floating } from "../components/floating.ts";

interface FilterButtonProps {
  readonly label: string;
  /** The labels of the current choices. */
  readonly words: readonly string[];
  /**
   * Renders the options. They are rendered outside the page's tree, so the function must read the current choice itself.
   */
  readonly picker: () => ReactNode;
}

/** One part of a filter: shows the current choices, and opens the options. */
export function FilterButton({ label, words, picker }: FilterButtonProps) {
  const client = useClient();
  const isChosen = words.length > 0;
  const open = (event: MouseEvent<HTMLButtonElement>) =>
    floating(client).openPopover(event.currentTarget, `Filter by ${label.toLowerCase()}`, () => (
      <Suspense>{picker()}</Suspense>
    ));
  return (
    <Button
      size="small"
      tone={isChosen ? "accent" : "ghost"}
      aria-haspopup="dialog"
      className={isChosen ? "max-w-56 bg-accent-soft" : ""}
      onClick={open}
    >
      <span className="truncate">{isChosen ? `${label}: ${words.join(", ")}` : label}</span>
    </Button>
  );
}
