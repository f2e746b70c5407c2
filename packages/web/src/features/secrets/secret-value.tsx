import { Eye, EyeOff, Pencil } from "lucide-react";
import { useState } from "react";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { revealSecret } from "./secret-actions.ts";
import { ReplaceValueForm } from "./replace-value-form.tsx";
import type { Secret } from "./secret.ts";
import { useRevealedValue, type RevealedValue } from "./use-revealed-value.ts";

/** The value: hidden, shown for a while, copied unseen, or replaced. */
export function SecretValue({ secret }: { readonly secret: Secret }) {
  const client = useClient();
  const revealed = useRevealedValue(secret.key);
  const [isReplacing, setIsReplacing] = useState(false);
  useShortcut("reveal", () => (revealed.value === null ? revealed.reveal() : revealed.hide()));
  const finish = () => {
    setIsReplacing(false);
    // A revealed value may be the old one.
    revealed.hide();
  };
  return (
    <section aria-label="Value" className="flex flex-col gap-2">
      <ShownValue revealed={revealed} />
      {revealed.error !== null && (
        <p role="alert" className="text-13 text-danger">
          The value could not be revealed. {revealed.error}
        </p>
      )}
      {isReplacing ? (
        <ReplaceValueForm secret={secret} onDone={finish} />
      ) : (
        <div className="flex flex-wrap gap-1">
          {revealed.value === null ? (
            <Button
              size="small"
              shortcut="reveal"
              icon={<Eye aria-hidden size={14} />}
              isBusy={revealed.isBusy}
              onClick={revealed.reveal}
            >
              Reveal
            </Button>
          ) : (
            <Button size="small" shortcut="reveal" icon={<EyeOff aria-hidden size={14} />} onClick={revealed.hide}>
              Hide
            </Button>
          )}
          <CopyButton text={() => revealSecret(client, secret.key)} what="the value" />
          <Button
            size="small"
            tone="ghost"
            icon={<Pencil aria-hidden size={14} />}
            onClick={() => setIsReplacing(true)}
          >
            Replace the value
          </Button>
        </div>
      )}
    </section>
  );
}

function ShownValue({ revealed: { value, secondsLeft } }: { revealed: RevealedValue }) {
  if (value === null) {
    return (
      <p className="rounded-control border border-border bg-background px-3 py-2 font-mono text-13 text-muted">
        <span aria-hidden>••••••••••••</span>
        <span className="sr-only">The value is hidden.</span>
      </p>
    );
  }
  return (
    <div className="flex flex-col gap-1">
      <pre
        // Focusable, so that it can be scrolled and selected by keyboard.
        tabIndex={0}
        aria-label="The value"
        className="max-h-60 overflow-auto rounded-control border border-accent-text bg-background px-3 py-2 font-mono text-13 [overflow-wrap:anywhere] whitespace-pre-wrap text-strong select-all"
      >
        {value}
      </pre>
      <p role="timer" className="tabular text-12 text-muted">
        Hidden again in {secondsLeft} s
      </p>
    </div>
  );
}
