import { use, type ComponentType, type FunctionComponent } from "react";
import { loadCode, loadLater } from "../client/code-parts.ts";

/**
 * A component whose code is loaded when it is first rendered, within Suspense, or ahead. Unlike with React's `lazy`, a failure
 * is not final: it is thrown once, to an error view, and rendering the component again tries again.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): FunctionComponent<Props> {
  let Loaded: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  let failure: { readonly error: unknown } | undefined;
  const start = () =>
    (loading ??= loadCode(load).then(
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
    if (Loaded !== undefined) return <Loaded {...props} />;
    if (failure !== undefined) {
      const { error } = failure;
      // React renders once more before it shows the error view.
      setTimeout(() => (failure = undefined));
      throw error;
    }
    use(start());
    return null;
  };
}
