import {
  useEffect,
  useEffectEvent,
  useReducer,
  type ComponentType,
  type FunctionComponent,
  type ReactNode,
} from "react";
import { loadLater } from "../client/code-parts.ts";
import { firstData } from "../client/first-data.ts";
import { useClient } from "../client/use-client.ts";
import { toasts, type ToastMessage } from "./toast.ts";

interface Preloadable {
  /** Loads the code ahead, so that the component appears immediately when it is first used. Rejects if that fails. */
  preload(): Promise<void>;
}

interface LoadingProps {
  readonly fallback?: ReactNode;
  /** Called when the code could not be loaded, which a message says. */
  readonly onLoadFailure?: () => void;
}

export type Loadable<Props extends object> = FunctionComponent<Props & LoadingProps> & Preloadable;

/** Preloads components. A failure is reported when the component is used. */
export async function preloadAll(parts: readonly Preloadable[]): Promise<void> {
  await Promise.allSettled(parts.map((part) => part.preload()));
}

/**
 * A component whose code is loaded when it is first needed; until then `fallback` is shown. Unlike with React's `lazy`, one
 * that is already loaded renders in the same frame: Suspense delays what it reveals by 300 ms. With `afterData`, its code is loaded
 * after the page's first data.
 */
export function loadable<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { afterData = false } = {},
): Loadable<Props> {
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
  loadLater(preload);

  function Component({ fallback, onLoadFailure, ...props }: Props & LoadingProps) {
    const client = useClient();
    const [, renderAgain] = useReducer((count: number) => count + 1, 0);
    const reportFailure = useEffectEvent(() => {
      toasts(client).show(LOAD_FAILURE);
      onLoadFailure?.();
    });
    useEffect(() => {
      if (Loaded !== undefined) return;
      let isShown = true;
      const loaded = afterData ? firstData(client).shown.then(preload) : preload();
      loaded.then(renderAgain, () => isShown && reportFailure());
      return () => {
        isShown = false;
      };
    }, [client]);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The props without those for loading.
    return Loaded === undefined ? fallback : <Loaded {...(props as unknown as Props)} />;
  }
  return Object.assign(Component, { preload });
}

/** Says that something could not be opened. */
export const LOAD_FAILURE: ToastMessage = {
  id: "load-failure",
  message: "This part of the page could not be loaded",
  detail: "Check the connection, then try again or reload the page.",
  tone: "danger",
};
