/** The parts of a key press that determine the shortcut. */
export interface KeyPress {
  readonly key: string;
  /** The physical key, as `KeyboardEvent.code`: replaces letters of other scripts. */
  readonly code: string;
  readonly isModDown: boolean;
  readonly isAltDown: boolean;
  readonly isShiftDown: boolean;
}

/** How long to wait for the second key of a sequence. */
const SEQUENCE_TIMEOUT_MS = 1_200;

/** The key press in the format of the shortcut table: `mod+k`, `shift+arrowdown`, `?`. */
export function describePress({ key, code, isModDown, isAltDown, isShiftDown }: KeyPress): string {
  const name = nameOf(key, code);
  // Shift is needed to type a character such as ?; it is included only if the key itself does not produce another character.
  const isShiftNamed = isShiftDown && (name.length > 1 || /[a-z]/.test(name));
  return [isModDown && "mod", isAltDown && "alt", isShiftNamed && "shift", name]
    .filter((part) => part !== false)
    .join("+");
}

function nameOf(key: string, code: string): string {
  const isOtherScript = key.length === 1 && key.charCodeAt(0) > 127;
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  return (isOtherScript && letter !== undefined ? letter : key).toLowerCase();
}

/**
 * Matches a series of key presses against bindings. Feed it every press; it remembers the first key of a sequence such as `g
 * t` until the second one arrives or the timeout has passed.
 */
export function createMatcher() {
  let first: { press: string; atMs: number } | null = null;

  return function match<Id>(
    press: string,
    nowMs: number,
    bindings: ReadonlyMap<string, Id>,
  ): Id | "waiting" | undefined {
    const started = first !== null && nowMs - first.atMs <= SEQUENCE_TIMEOUT_MS ? first.press : null;
    first = null;
    const sequence = started === null ? undefined : bindings.get(`${started} ${press}`);
    if (sequence !== undefined) return sequence;
    const single = bindings.get(press);
    if (single !== undefined) return single;
    const isStart = [...bindings.keys()].some((keys) => keys.startsWith(`${press} `));
    if (!isStart) return undefined;
    first = { press, atMs: nowMs };
    return "waiting";
  };
}
