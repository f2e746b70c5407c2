import { clsx } from "clsx";
import { Ban, Check } from "lucide-react";
import { DEFAULT_PROJECT_COLOR, isHexColor, PROJECT_COLORS } from "./colors.ts";
import { Input } from "./field.tsx";

interface ColorFieldProps {
  /** As six hex digits after a #; null for none. */
  readonly color: string | null;
  /** Whether there may be no color. */
  readonly isOptional?: boolean;
  onChange(color: string | null): void;
}

/** One of six colors, or any other. */
export function ColorField({ color, isOptional = false, onChange }: ColorFieldProps) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-13 font-medium text-strong">Color</legend>
      <div className="flex flex-wrap items-center gap-2">
        {isOptional && (
          <label
            data-tooltip="No color"
            className="flex size-8 items-center justify-center rounded-control border border-control has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-text touch:size-11"
          >
            <input
              type="radio"
              name="color"
              aria-label="No color"
              checked={color === null}
              className="sr-only"
              onChange={() => onChange(null)}
            />
            {color === null ? <Check aria-hidden size={16} /> : <Ban aria-hidden size={16} className="text-muted" />}
          </label>
        )}
        {PROJECT_COLORS.map(({ hex, name }) => (
          <label
            key={hex}
            data-tooltip={name}
            className={clsx(
              "project-color flex size-8 items-center justify-center rounded-control bg-current has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-text touch:size-11",
            )}
            style={{ "--project-color": hex }}
          >
            <input
              type="radio"
              name="color"
              aria-label={name}
              checked={color?.toLowerCase() === hex}
              className="sr-only"
              onChange={() => onChange(hex)}
            />
            {color?.toLowerCase() === hex && <Check aria-hidden size={16} strokeWidth={3} className="text-surface" />}
          </label>
        ))}
        <HexInput color={color ?? ""} onChange={onChange} />
      </div>
    </fieldset>
  );
}

/** Any other color: with the system's color picker or as six hex digits. */
function HexInput({ color, onChange }: { color: string; onChange: (color: string) => void }) {
  return (
    <span className="flex items-center gap-1.5">
      <input
        type="color"
        aria-label="Another color"
        value={isHexColor(color) ? color.toLowerCase() : DEFAULT_PROJECT_COLOR}
        className="size-8 rounded-control border border-control bg-surface p-0.5 touch:size-11"
        onChange={(event) => onChange(event.target.value)}
      />
      <Input
        aria-label="Color as hex"
        aria-invalid={isHexColor(color) ? undefined : true}
        maxLength={7}
        spellCheck={false}
        value={color}
        className="w-24 font-mono text-13"
        onChange={(event) => onChange(event.target.value)}
      />
    </span>
  );
}
