import { clsx } from "clsx";
import type { ComponentPropsWithRef } from "react";

interface CheckboxProps extends Omit<ComponentPropsWithRef<"input">, "type" | "aria-label"> {
  readonly label: string;
}

/** A checkbox without visible text; `label` is read out. */
export function Checkbox({ label, className, ...rest }: CheckboxProps) {
  return <input type="checkbox" aria-label={label} className={clsx("checkbox", className)} {...rest} />;
}
