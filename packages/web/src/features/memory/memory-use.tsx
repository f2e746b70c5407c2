import { CircleCheck, CircleDashed } from "lucide-react";
import { describeUse, type Injection } from "./memory-injection.ts";

/** Whether a session used a memory that it was given. */
export function MemoryUse({ injection }: { readonly injection: Pick<Injection, "usedAt" | "isUseVisible"> }) {
  const isUsed = injection.usedAt !== null;
  const UseIcon = isUsed ? CircleCheck : CircleDashed;
  const { label, detail } = describeUse(injection);
  return (
    <span className="flex items-center gap-1" data-tooltip={detail}>
      <UseIcon aria-hidden size={12} className={isUsed ? "text-success" : ""} />
      {label}
    </span>
  );
}
