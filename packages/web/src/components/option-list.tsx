import { Command } from "cmdk";
import { Check, Plus } from "lucide-react";
import { useState, type ReactNode } from "react";
import { followActiveOption } from "./follow-active-option.ts";
import { TOUCH, useMediaQuery } from "../browser/use-media-query.ts";

export interface Option<Value> {
  readonly value: Value;
  readonly label: string;
  readonly icon?: ReactNode;
}

interface OptionListProps<Value> {
  /** What is being chosen, as a request to the user: "Change the status". */
  readonly label: string;
  readonly options: readonly Option<Value>[];
  readonly chosen: ReadonlySet<Value>;
  onPick(value: Value): void;
  /** Called with the text that is typed, if there are more options than can be given. */
  readonly onSearch?: (text: string) => void;
  /** Whether the options already are those that match the text. */
  readonly isFiltered?: boolean;
  /** Set if text that matches nothing may become a new option. */
  readonly onCreate?: (text: string) => void;
  readonly createLabel?: (text: string) => string;
}

/** A list to choose from by typing, arrow keys or pointer, for use in a popover. */
export function OptionList<Value extends string | number | null>({
  label,
  options,
  chosen,
  onPick,
  onSearch,
  isFiltered = false,
  onCreate,
  createLabel = (text) => `Create “${text}”`,
}: OptionListProps<Value>) {
  const [text, setText] = useState("");
  const isTouch = useMediaQuery(TOUCH);
  const created = text.trim();
  const canCreate = onCreate !== undefined && created !== "" && !options.some((option) => option.label === created);
  return (
    <Command
      loop
      shouldFilter={!isFiltered}
      label={label}
      className="w-72"
      tabIndex={-1}
      ref={isTouch ? followAndFocus : followActiveOption}
    >
      <Command.Input
        autoFocus={!isTouch}
        value={text}
        onValueChange={(typed) => {
          setText(typed);
          onSearch?.(typed);
        }}
        placeholder={label}
        className="h-10 w-full border-b border-border bg-transparent px-3 text-strong focus-visible:outline-none"
      />
      <Command.List label={label} className="max-h-72 overflow-y-auto p-1">
        {!canCreate && <Command.Empty className="px-2 py-3 text-center text-13 text-muted">No matches.</Command.Empty>}
        {options.map((option) => (
          <Item
            key={String(option.value)}
            value={`${option.label} ${String(option.value)}`}
            onSelect={() => {
              setText("");
              onPick(option.value);
            }}
          >
            {option.icon}
            <span className="flex-1 truncate">{option.label}</span>
            {chosen.has(option.value) && (
              <>
                <span className="sr-only">, chosen</span>
                <Check aria-hidden size={16} className="shrink-0 text-accent-text" />
              </>
            )}
          </Item>
        ))}
        {canCreate && (
          <Item
            value={`create ${created}`}
            forceMount
            onSelect={() => {
              setText("");
              onCreate(created);
            }}
          >
            <Plus aria-hidden size={16} className="shrink-0 text-muted" />
            <span className="truncate">{createLabel(created)}</span>
          </Item>
        )}
      </Command.List>
    </Command>
  );
}

interface ItemProps {
  readonly value: string;
  readonly forceMount?: boolean;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}

function Item({ children, ...rest }: ItemProps) {
  return (
    <Command.Item
      className="flex h-(--control-height) items-center gap-2 rounded-control px-2 text-strong select-none aria-selected:bg-hover"
      {...rest}
    >
      {children}
    </Command.Item>
  );
}

/** On a touch screen, focusing a field would bring up the keyboard, so the list itself takes the focus. */
function followAndFocus(root: HTMLElement | null): (() => void) | undefined {
  root?.focus();
  return followActiveOption(root);
}
