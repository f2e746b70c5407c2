import { type ShellToken, unquotedText } from "./shell-token.ts";

const MAX_TOKENS = 40;
const KEYWORDS = new Set("{ ! do then else if while until time".split(" "));

/**
 * Whether a function starts itself in a pipeline or in the background, so that it multiplies until the machine stops responding:
 * `:(){ :|:& };:`. One that merely calls itself ends at some time. Only the first
 * tokens of its body, which starts at `from`, are examined.
 */
export function startsItself(name: string, tokens: readonly ShellToken[], from: number): boolean {
  let depth = 0;
  let isStart = true;
  let isOwn = false;
  for (let at = from; at < from + MAX_TOKENS; at += 1) {
    const token = tokens[at];
    if (token === undefined) return false;
    const isOperator = token.kind === "operator";
    const text = isOperator ? token.text : unquotedText(token);
    if (text === "{" || text === "(") depth += 1;
    // The parentheses after the name are no body.
    if ((text === "}" || text === ")") && (depth -= 1) === 0 && text === "}") return false;
    if (isOperator) {
      if (isOwn && /^(?:\|&?|&)$/.test(token.text)) return true;
      isOwn = false;
      isStart = true;
    } else if (token.kind === "word") {
      isOwn ||= isStart && text === name;
      isStart = text !== undefined && KEYWORDS.has(text);
    }
  }
  return false;
}
