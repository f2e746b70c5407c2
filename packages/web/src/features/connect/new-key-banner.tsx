import { KeyRound } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import type { CreatedApiKey } from "./api-key.ts";
import { exportLine } from "./snippets.ts";

interface NewKeyBannerProps {
  readonly created: CreatedApiKey;
  readonly onDone: () => void;
}

/** The key that was just created. It is shown only here, until the user confirms having saved it. */
export function NewKeyBanner({ created: { name, key }, onDone }: NewKeyBannerProps) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <section
      ref={ref}
      tabIndex={-1}
      aria-label="The new key"
      className="animate-fade flex shrink-0 flex-col gap-2 border-b border-border bg-accent-soft px-4 py-3 focus-visible:outline-none"
    >
      <p role="status" className="flex items-center gap-2 text-strong">
        <KeyRound aria-hidden size={16} className="shrink-0" />
        <span>
          The key “{name}” has been created.{" "}
          <strong className="font-semibold">Copy it now: it will not be shown again.</strong>
        </span>
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <code className="min-w-0 rounded-control border border-accent-text bg-surface px-3 py-1.5 font-mono text-13 break-all text-strong select-all">
          {key}
        </code>
        <CopyButton text={key} what="the key" />
        <CopyButton text={exportLine(key)} label="Copy as export" what="the line that sets it in a shell" />
        <Button size="small" className="ml-auto" onClick={onDone}>
          I have saved it
        </Button>
      </div>
    </section>
  );
}
