/** What of a key press decides which shortcut it is. */
export interface KeyPress {
  readonly key: string;
  /** The key's place on the keyboard, as `KeyboardEvent.code`: stands in for letters of other scripts. */
  readonly code: string;
  readonly isModDown: boolean;
  readonly isAltDown: boolean;
  readonly isShiftDown: boolean;
}

/** How long the second key of a sequence is waited for. */
const SEQUENCE_TIMEOUT_MS = 1_200;

/** The press in the words of the shortcut table: `mod+k`, `shift+arrowdown`, `?`. */
export function describePress({ key, code, isModDown, isAltDown, isShiftDown }: KeyPress): string {
  const name = nameOf(key, code);
  // Shift is part of how a character such as ? is typed; it is named only where the key itself has no such character.
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
 * Finds which of the bindings a run of key presses means. Feed it every press; it remembers the first key of a sequence
 * such as `g t` until the second comes or time is up.
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
