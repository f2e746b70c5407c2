import { clsx } from "clsx";
import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../../components/button.tsx";
import { Textarea } from "../../components/field.tsx";

interface SecretValueInputProps {
  readonly control: Readonly<Record<string, unknown>>;
  readonly value: string;
  readonly hasFocus?: boolean;
  readonly onChange: (value: string) => void;
}

/** An input for a value of one or more lines: masked until the user reveals it, and never stored as a draft. */
export function SecretValueInput({ control, value, hasFocus = false, onChange }: SecretValueInputProps) {
  const [isReadable, setIsReadable] = useState(false);
  return (
    <div className="relative">
      <Textarea
        {...control}
        autoFocus={hasFocus}
        required
        rows={1}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={value}
        className={clsx(
          "max-h-60 overflow-y-auto! pr-10 font-mono text-13 [overflow-wrap:anywhere]",
          !isReadable && "[-webkit-text-security:disc]",
        )}
        onChange={(event) => onChange(event.target.value)}
      />
      <IconButton
        size="small"
        label={isReadable ? "Hide the input" : "Show the input"}
        icon={isReadable ? <EyeOff size={14} /> : <Eye size={14} />}
        className="absolute top-0.5 right-0.5"
        onClick={() => setIsReadable(!isReadable)}
      />
    </div>
  );
}
