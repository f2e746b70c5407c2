/** What a bearer key opens below `/api`, beside cookie and token: what a hooks CLI needs, and nothing else. */
const KEY_PATHS = /^\/(hooks|memory)(\/|$)/;

/** Whether bearer keys are looked at for a path below `/api`. */
export function isKeyPath(path: string): boolean {
  return KEY_PATHS.test(path);
}
