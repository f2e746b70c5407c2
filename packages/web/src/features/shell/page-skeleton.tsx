import { Skeleton, SkeletonRows } from "../../components/states.tsx";

/** A placeholder for a page whose code is still loading. */
export function PageSkeleton() {
  return (
    <div className="flex flex-1 flex-col">
      <div className="flex h-13 items-center border-b border-border px-4">
        <Skeleton className="h-4 w-32" />
      </div>
      <SkeletonRows />
    </div>
  );
}
