import { useRef, useState, type KeyboardEvent } from "react";
import { controlAfter } from "./control-after.ts";

interface PropertyInputProps {
  readonly label: string;
  /** The stored value. */
  readonly value: string;
  readonly maxLength: number;
  readonly isRequired?: boolean;
  /** Called with a value that differs from the stored one. Resolves once it is stored or refused. */
  onSave(value: string): Promise<void>;
}

/** A value edited in place: saved with Enter, which goes on to the next one, or when it loses the focus; restored with Escape. */
export function PropertyInput({ label, value, maxLength, isRequired = false, onSave }: PropertyInputProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const sending = useRef<string>(undefined);
  const save = async () => {
    if (typed === null || typed === sending.current) return;
    const wanted = typed.trim();
    sending.current = typed;
    if (wanted !== value && !(wanted === "" && isRequired)) await onSave(wanted);
    sending.current = undefined;
    // What has been typed since is not saved yet.
    setTyped((now) => (now === typed ? null : now));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") (controlAfter(event.currentTarget) ?? document.body).focus();
    else if (event.key === "Escape" && typed !== null) setTyped(null);
    else return;
    event.preventDefault();
  };
  return (
    <input
      aria-label={label}
      value={typed ?? value}
      maxLength={maxLength}
      className="h-8 w-full rounded-control bg-transparent px-2 text-strong hover:bg-hover focus:bg-transparent touch:h-11"
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={() => void save()}
    />
  );
}
