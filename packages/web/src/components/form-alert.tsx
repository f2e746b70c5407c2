import { CircleAlert, Info } from "lucide-react";
import type { ReactNode } from "react";

/** What went wrong with a form, or what to know before filling it in. Announced when it appears. */
export function FormAlert({ tone, children }: { readonly tone: "danger" | "info"; readonly children: ReactNode }) {
  const Icon = tone === "danger" ? CircleAlert : Info;
  const color = tone === "danger" ? "border-danger/30 bg-danger/8 text-danger" : "border-border bg-surface text-normal";
  return (
    <div
      role={tone === "danger" ? "alert" : "status"}
      className={`flex gap-2 rounded-control border px-3 py-2 text-13 ${color}`}
    >
      <Icon aria-hidden size={16} className="mt-0.5 shrink-0" />
      <p>{children}</p>
    </div>
  );
}
