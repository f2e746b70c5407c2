import { use, type ComponentType, type FunctionComponent } from "react";
import type { Client } from "../client/client.ts";
import { loadCode, loadLater } from "../client/code-parts.ts";
import { firstData } from "../client/first-data.ts";
import { useClient } from "../client/use-client.ts";

/**
 * A component whose code is loaded when it is first rendered, within Suspense, or ahead. Unlike with React's `lazy`, a failure
 * is not final: it is thrown once, to an error view, and rendering the component again tries again. With `afterData`, the code is
 * loaded after the page's first data.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  { afterData = false } = {},
): FunctionComponent<Props> {
  let Loaded: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  let failure: { readonly error: unknown } | undefined;
  const start = (client: Client) =>
    (loading ??= (afterData ? firstData(client).shown.then(() => loadCode(load)) : loadCode(load)).then(
      (code) => {
        Loaded = code.default;
      },
      (error: unknown) => {
        loading = undefined;
        failure = { error };
      },
    ));
  loadLater(async () => {
    Loaded = (await load()).default;
  });

  return function Part(props) {
    const client = useClient();
    if (Loaded !== undefined) return <Loaded {...props} />;
    if (failure !== undefined) {
      const { error } = failure;
      // React renders once more before it shows the error view.
      setTimeout(() => (failure = undefined));
      throw error;
    }
    use(start(client));
    return null;
  };
}
