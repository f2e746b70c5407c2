import { Suspense, type ReactNode } from "react";

/**
 * Keeps the place of a picker whose code or options are still loading. Without it the popup would be placed as an empty one, which
 * fits below a button at the lower edge of the window, where its options do not.
 */
export function PickerPlace({ children }: { readonly children: ReactNode }) {
  return (
    <div className="h-83 w-60">
      <Suspense>{children}</Suspense>
    </div>
  );
}
