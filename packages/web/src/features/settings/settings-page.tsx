import { Suspense } from "react";
import { lazyPart } from "../../components/lazy-part.tsx";
import { SkeletonRows } from "../../components/states.tsx";
import { Page } from "../shell/page.tsx";

const ModelSettings = lazyPart(() => import("./model-settings.tsx"));

/** How the workspace is set up. */
export default function SettingsPage() {
  return (
    <Page title="Settings" onCreate={null}>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex max-w-180 flex-col gap-4 p-4 md:p-6">
          <Suspense fallback={<SkeletonRows />}>
            <ModelSettings />
          </Suspense>
        </div>
      </div>
    </Page>
  );
}
