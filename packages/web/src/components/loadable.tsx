import { useEffect, useReducer, type ComponentType, type FunctionComponent, type ReactNode } from "react";
import { showToast } from "./toast.ts";

interface Preloadable {
  /** Loads ahead, so that the component is there at once when it is first used. Rejects where that fails. */
  preload(): Promise<void>;
}

export type Loadable<Props extends object> = FunctionComponent<Props & { readonly fallback?: ReactNode }> & Preloadable;

/** Loads parts ahead. What fails to load tells so when it is used. */
export async function preloadAll(parts: readonly Preloadable[]): Promise<void> {
  await Promise.allSettled(parts.map((part) => part.preload()));
}

/**
 * A component whose code is loaded when it is first needed; until then `fallback` stands in its place. Unlike React's
 * `lazy`, one that is loaded already renders in the same frame: Suspense holds back what it reveals for 300 ms.
 */
export function loadable<Props extends object>(load: () => Promise<ComponentType<Props>>): Loadable<Props> {
  let Loaded: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  const preload = () => {
    loading ??= load().then(
      (component) => {
        Loaded = component;
      },
      (error: unknown) => {
        // The next use tries again.
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };

  function Component({ fallback, ...props }: Props & { readonly fallback?: ReactNode }) {
    const [, renderAnew] = useReducer((count: number) => count + 1, 0);
    useEffect(() => {
      if (Loaded === undefined) preload().then(renderAnew, tellFailure);
    }, []);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The props without the one that is ours.
    return Loaded === undefined ? fallback : <Loaded {...(props as unknown as Props)} />;
  }
  return Object.assign(Component, { preload });
}

function tellFailure(): void {
  showToast({
    id: "load-failure",
    message: "This part of the page could not be loaded",
    detail: "Check the connection, then try again or load the page anew.",
    tone: "danger",
  });
}
