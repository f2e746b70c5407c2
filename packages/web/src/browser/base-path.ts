/** The folder of the build in which the scripts are, this one as well. */
const SCRIPTS = "/assets/";

/** The path below which the dashboard and its API are, such as `/workspace`; empty at the root of the host. */
export const BASE_PATH = import.meta.env.PROD ? basePathOf(import.meta.url) : "";

function basePathOf(script: string): string {
  const { pathname } = new URL(script);
  return pathname.slice(0, pathname.lastIndexOf(SCRIPTS));
}

/** The path at the host of a path of the dashboard or its API. */
export function atBase(path: string): string {
  return `${BASE_PATH}${path}`;
}

/** The whole URL of a path of the dashboard or its API, for other programs and people. */
export function publicUrlOf(path: string): string {
  return `${window.location.origin}${BASE_PATH}${path}`;
}

/** A name for what is stored in the browser, which others on the same host do not use. */
export function nameAtBase(name: string): string {
  return `${name}${BASE_PATH}`;
}
