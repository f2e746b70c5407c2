import type { FocusEvent, KeyboardEvent } from "react";

interface PropertyInputProps {
  readonly label: string;
  /** The stored value. Give the input a `key` that changes with it. */
  readonly value: string;
  readonly maxLength: number;
  readonly isRequired?: boolean;
  /** Called with a value that differs from the stored one. */
  onSave(value: string): void;
}

/** A value edited in place: saved with Enter or when it loses the focus, restored with Escape. */
export function PropertyInput({ label, value, maxLength, isRequired = false, onSave }: PropertyInputProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    if (event.key === "Escape") event.currentTarget.value = value;
    event.currentTarget.blur();
  };
  const onBlur = ({ currentTarget }: FocusEvent<HTMLInputElement>) => {
    const wanted = currentTarget.value.trim();
    if (wanted === "" && isRequired) currentTarget.value = value;
    else if (wanted !== value) onSave(wanted);
  };
  return (
    <input
      aria-label={label}
      defaultValue={value}
      maxLength={maxLength}
      className="h-8 w-full rounded-control bg-transparent px-2 text-strong hover:bg-hover focus:bg-transparent touch:h-11"
      onKeyDown={onKeyDown}
      onBlur={onBlur}
    />
  );
}
