import { CircleAlert, CircleCheck } from "lucide-react";
import type { ModelTestResult } from "./use-model-tests.ts";

/** What came of a test; nothing if it was not made. */
export function TestResult({ result }: { readonly result: ModelTestResult | null | undefined }) {
  return (
    <div role="status" className="min-w-0 text-13">
      {result === null && <p className="text-muted">Testing…</p>}
      {result?.ok === true && (
        <p className="flex gap-1.5 text-success">
          <CircleCheck aria-hidden size={16} className="mt-0.5 shrink-0" />
          <span className="min-w-0 break-words">{result.message}</span>
        </p>
      )}
      {result?.ok === false && (
        <p className="flex gap-1.5 text-danger">
          <CircleAlert aria-hidden size={16} className="mt-0.5 shrink-0" />
          <span className="min-w-0 break-words">{result.message}</span>
        </p>
      )}
    </div>
  );
}
