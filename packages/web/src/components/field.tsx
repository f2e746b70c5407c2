import { clsx } from "clsx";
import { useId, useLayoutEffect, useRef, type ComponentPropsWithRef, type ReactNode } from "react";

const BOX = clsx(
  "rounded-control border border-control bg-surface px-2.5 text-strong",
  "aria-invalid:border-danger disabled:opacity-60",
);

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  /** What is wrong with the value, as a sentence. */
  readonly error?: string | undefined;
  readonly children: (control: {
    id: string;
    "aria-invalid": true | undefined;
    "aria-describedby": string | undefined;
  }) => ReactNode;
}

/** A labelled control, with a hint or an error below. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className="text-13 font-medium text-strong">
        {label}
      </label>
      {children({
        id,
        "aria-invalid": error === undefined ? undefined : true,
        "aria-describedby": note === undefined ? undefined : `${id}-note`,
      })}
      {note !== undefined && (
        <p id={`${id}-note`} className={clsx("text-12", error === undefined ? "text-muted" : "text-danger")}>
          {note}
        </p>
      )}
    </div>
  );
}

export function Input({ className, ...rest }: ComponentPropsWithRef<"input">) {
  return <input className={clsx(BOX, "h-(--control-height)", className)} {...rest} />;
}

type InputFieldProps = Omit<FieldProps, "children"> & ComponentPropsWithRef<"input">;

/** A labelled input, with a hint or an error below. */
export function InputField({ label, hint, error, ...input }: InputFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <Input {...control} {...input} />}
    </Field>
  );
}

/** A native select: the system's own list on every device. */
export function Select({ className, ...rest }: ComponentPropsWithRef<"select">) {
  return <select className={clsx(BOX, "h-(--control-height) max-w-full", className)} {...rest} />;
}

/** A text area that grows with its text. */
export function GrowingTextarea({ className, value, ...rest }: Omit<ComponentPropsWithRef<"textarea">, "ref">) {
  const ref = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    element.style.height = "auto";
    element.style.height = `${element.scrollHeight}px`;
  });
  return (
    <textarea
      ref={ref}
      dir="auto"
      value={value}
      className={clsx("block w-full resize-none overflow-hidden", className)}
      {...rest}
    />
  );
}

export function Textarea({ className, ...rest }: Omit<ComponentPropsWithRef<"textarea">, "ref">) {
  return <GrowingTextarea className={clsx(BOX, "py-1.5", className)} {...rest} />;
}
