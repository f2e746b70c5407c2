/** The paths below `/api` that also accept bearer keys: those that the hooks CLI needs, and no others. */
const KEY_PATHS = /^\/(hooks|memory)(\/|$)/;

/** Whether a path below `/api` accepts bearer keys. */
export function isKeyPath(path: string): boolean {
  return KEY_PATHS.test(path);
}
