import { clsx } from "clsx";
import type { ComponentPropsWithRef, ReactNode } from "react";
import { tooltip } from "./tooltip.ts";
import type { ShortcutId } from "../shortcuts/shortcut-keys.ts";

export type ButtonTone = "primary" | "secondary" | "ghost" | "accent" | "danger";

const TONES: Readonly<Record<ButtonTone, string>> = {
  primary: "bg-accent text-on-accent hover:bg-accent-hover",
  secondary: "border border-border bg-raised text-strong hover:bg-hover",
  ghost: "text-normal hover:bg-hover aria-expanded:bg-hover",
  accent: "text-accent-text hover:bg-hover",
  danger: "text-danger hover:bg-hover",
};

interface ButtonProps extends ComponentPropsWithRef<"button"> {
  readonly tone?: ButtonTone;
  readonly size?: "normal" | "small";
  /** A 16 px icon before the text. */
  readonly icon?: ReactNode;
  /** The action is in progress: the button keeps its place and ignores further clicks. */
  readonly isBusy?: boolean;
  readonly shortcut?: ShortcutId;
}

export function Button({
  tone = "secondary",
  size = "normal",
  icon,
  isBusy = false,
  shortcut,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      className={clsx(
        "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-control font-medium whitespace-nowrap select-none",
        "transition-colors duration-120 disabled:pointer-events-none disabled:opacity-50",
        size === "normal" ? "h-(--control-height) px-3 text-14" : "h-(--control-height-small) px-2 text-13",
        TONES[tone],
        className,
      )}
      onClick={isBusy ? undefined : onClick}
      {...(shortcut !== undefined && tooltip(null, shortcut))}
      {...rest}
    >
      {icon}
      {children}
      {isBusy && <BusyDot />}
    </button>
  );
}

interface IconButtonProps extends Omit<ComponentPropsWithRef<"button">, "children" | "aria-label"> {
  /** What it does: read out by screen readers and shown on hover. */
  readonly label: string;
  readonly icon: ReactNode;
  readonly shortcut?: ShortcutId;
  readonly size?: "normal" | "small";
}

/** A button without visible text; its name is shown in a tooltip. */
export function IconButton({ label, icon, shortcut, size = "normal", className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      className={clsx(
        "inline-flex shrink-0 items-center justify-center rounded-control text-muted select-none",
        "transition-colors duration-120 hover:bg-hover hover:text-strong aria-expanded:bg-hover aria-expanded:text-strong",
        "disabled:pointer-events-none disabled:opacity-50",
        size === "normal" ? "size-(--control-height)" : "size-(--control-height-small)",
        className,
      )}
      {...tooltip(label, shortcut)}
      {...rest}
    >
      {icon}
    </button>
  );
}

function BusyDot() {
  return <span aria-hidden className="animate-late size-1.5 animate-pulse rounded-full bg-current" />;
}
