import temml from "temml";
import { withoutStyles } from "./math-styles.ts";

/** Room for definitions that expand to more than themselves. */
const MAX_EXPANSIONS = 200;
const MAX_EM = [10, 100] as const;
/** A formula whose MathML is longer is shown as it was written. */
const MAX_MATHML = 200_000;

/** A formula as MathML without styles; null if it cannot be read. */
export function renderMath(source: string, isBlock: boolean): string | null {
  try {
    const html = temml.renderToString(source, {
      displayMode: isBlock,
      throwOnError: true,
      trust: false,
      maxSize: [...MAX_EM],
      maxExpand: MAX_EXPANSIONS,
    });
    return html.length > MAX_MATHML ? null : withoutStyles(html);
  } catch {
    return null;
  }
}
