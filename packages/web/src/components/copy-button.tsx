import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { useClient } from "../client/use-client.ts";
import { copyText } from "../browser/clipboard.ts";
import { Button, IconButton } from "./button.tsx";
import { showCopyRefused } from "./copy-with-toast.ts";

const SHOWN_MS = 2_000;

interface CopyButtonProps {
  /** The text, or a function that gets it, which rejects if it is unavailable. */
  readonly text: string | (() => Promise<string>);
  /** What is copied, named for screen readers and messages: "the key". */
  readonly what: string;
  readonly label?: string;
  readonly size?: "normal" | "small";
  /** Whether only the icon is shown, with the label as its tooltip. */
  readonly isBare?: boolean;
}

/** Copies text, and confirms it in place. */
export function CopyButton({ text, what, label = "Copy", size = "small", isBare = false }: CopyButtonProps) {
  const client = useClient();
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setIsCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    const copied = await copyText(typeof text === "string" ? text : await text());
    setIsCopied(copied);
    if (!copied) showCopyRefused(client, what);
  };
  const icon = isCopied ? <Check aria-hidden size={14} className="text-success" /> : <Copy aria-hidden size={14} />;
  if (isBare) {
    return (
      <IconButton
        size={size}
        label={isCopied ? "Copied" : `${label} ${what}`}
        icon={icon}
        onClick={() => void copy()}
      />
    );
  }
  return (
    <Button size={size} tone="ghost" icon={icon} onClick={() => void copy()}>
      <span aria-live="polite">{isCopied ? "Copied" : label}</span>
      <span className="sr-only"> {what}</span>
    </Button>
  );
}
