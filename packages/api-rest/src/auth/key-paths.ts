/** What a bearer key opens under `/api`, beside cookie and token: what a hooks CLI needs, and nothing else. */
const KEY_PATHS = /^\/api\/(hooks|memory)(\/|$)/;

export function isKeyPath(path: string): boolean {
  return KEY_PATHS.test(path);
}
