import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { copyText } from "../browser/clipboard.ts";
import { Button } from "./button.tsx";
import { showToast } from "./toast.ts";

const SHOWN_MS = 2_000;

interface CopyButtonProps {
  /** The text, or how to get it; rejects where it cannot be had. */
  readonly text: string | (() => Promise<string>);
  /** What is copied, for those who do not see what stands beside: "the key". */
  readonly what: string;
  readonly label?: string;
  readonly size?: "normal" | "small";
}

/** Copies, and says so in its own place. */
export function CopyButton({ text, what, label = "Copy", size = "small" }: CopyButtonProps) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setIsCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    const copied = await copyText(typeof text === "string" ? text : await text());
    setIsCopied(copied);
    if (!copied) showToast({ message: `The browser does not let ${what} be copied`, tone: "danger" });
  };
  return (
    <Button
      size={size}
      tone="ghost"
      icon={isCopied ? <Check aria-hidden size={14} className="text-success" /> : <Copy aria-hidden size={14} />}
      onClick={() => void copy()}
    >
      <span aria-live="polite">{isCopied ? "Copied" : label}</span>
      <span className="sr-only"> {what}</span>
    </Button>
  );
}
