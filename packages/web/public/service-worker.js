// Keeps the files of the dashboard, so that its pages open while the server is away, and shows push messages. It never responds with data
// that is stored: what the page shows then is from the copy that it keeps itself.
/** The path of the dashboard's home page, in the scope of which this is. Others may be on the same host. */
const HOME = new URL("./", self.location.href).pathname;
const FORMER_CACHES = /^files-\d+(?=\/|$)/;
const CACHE = `files-1${HOME.slice(0, -1)}`;
/** Which files there are, as the build has listed them. */
const LIST = at("/offline-files.json");
const OFFLINE_PAGE = at("/offline.html");
/** Beside those of the list; they have the same names in every version. */
const PLAIN_FILES = [
  ...["/first-paint.js", "/favicon.svg", "/manifest.webmanifest", "/icon-192.png"].map(at),
  OFFLINE_PAGE,
];
/** Everything else is a page of the dashboard. */
const OTHER_PAGES = /^(api|share|docs|mcp|diagram)(\/|$)|\.[a-z0-9]+$/i;
/** A server that takes longer than this to respond counts as away, if its page is kept. */
const PATIENCE_MS = 6_000;
const AT_ONCE = 4;

/** The path at the host of a path of the server. */
function at(path) {
  return HOME + path.slice(1);
}

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.add(new Request(OFFLINE_PAGE, { cache: "reload" }))));
  self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    Promise.all([
      caches.keys().then((names) => Promise.all(names.filter(isFormerCache).map((name) => caches.delete(name)))),
      self.registration.navigationPreload?.enable(),
      self.clients.claim(),
    ]),
  );
});

/** Whether a cache is of an earlier version of this, and not of anything else on the host. */
function isFormerCache(name) {
  return name !== CACHE && FORMER_CACHES.test(name) && name.replace(FORMER_CACHES, "") === HOME.slice(0, -1);
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(showPage(event, pathname));
  else if (pathname.startsWith(at("/assets/"))) event.respondWith(readFile(request));
  else if (PLAIN_FILES.includes(pathname)) event.respondWith(fetch(request).catch((error) => keptOr(pathname, error)));
});

self.addEventListener("message", (event) => {
  if (event.data === "keep-files") event.waitUntil(keepFiles());
});

/** The page as the server sends it; while it is away, as it was last kept. */
async function showPage(event, pathname) {
  const kept = OTHER_PAGES.test(pathname.slice(HOME.length)) ? OFFLINE_PAGE : HOME;
  const response = Promise.resolve(event.preloadResponse).then((preloaded) => preloaded ?? fetch(event.request));
  const page = () => caches.match(kept, { ignoreVary: true });
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS)).then(() =>
    kept === HOME ? page() : undefined,
  );
  try {
    const sent = await Promise.race([response, late.then((found) => found ?? response)]);
    // What a proxy says while there is no server behind it.
    return sent.status >= 502 && sent.status <= 504 ? ((await page()) ?? sent) : sent;
  } catch (error) {
    return (await page()) ?? keptOr(OFFLINE_PAGE, error);
  }
}

/** A file whose name changes with its content. */
async function readFile(request) {
  const kept = await caches.match(request.url, { ignoreVary: true });
  if (kept !== undefined) return kept;
  const response = await fetch(request);
  // Used once, it will be used again; what the dashboard does not use any more is removed with the next version.
  if (response.status === 200) {
    const copy = response.clone();
    void caches
      .open(CACHE)
      .then((cache) => cache.put(request.url, copy))
      .catch(() => undefined);
  }
  return response;
}

async function keptOr(path, error) {
  const kept = await caches.match(path, { ignoreVary: true });
  if (kept === undefined) throw error;
  return kept;
}

/** Keeps all files of the present version; the page that begins with them comes last, so that what is kept is always whole. */
async function keepFiles() {
  const cache = await caches.open(CACHE);
  const former = await cache.match(LIST).then(async (list) => list && readList(await list.json()));
  const [list, page] = await Promise.all([LIST, HOME].map((path) => fetch(path, { cache: "no-cache" })));
  if (!list.ok || !page.ok) return;
  const { entry, files } = readList(await list.clone().json());
  // While the server is being replaced, the two may be of different versions.
  if (!(await page.clone().text()).includes(entry)) return;
  const kept = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
  const missing = files.filter((file) => !kept.has(file));
  for (let start = 0; start < missing.length; start += AT_ONCE)
    await cache.addAll(missing.slice(start, start + AT_ONCE));
  await cache.addAll(PLAIN_FILES.map((path) => new Request(path, { cache: "no-cache" })));
  await cache.put(HOME, page);
  await cache.put(LIST, list);
  if (former === undefined || former.entry === entry) return;
  // Pages of the former version may still be open.
  const needed = new Set([...files, ...former.files, ...PLAIN_FILES, LIST, HOME]);
  await Promise.all([...kept].filter((path) => !needed.has(path)).map((path) => cache.delete(path)));
}

function readList({ entry, files }) {
  return { entry: at(entry), files: files.map(at) };
}

self.addEventListener("push", (event) => event.waitUntil(show(event.data)));

/** Browsers withdraw the permission of pages that get messages and show nothing, so each is shown. */
async function show(data) {
  const { title, body, path, tag } = data.json();
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  await self.registration.showNotification(title, {
    body,
    tag,
    data: { path },
    icon: at("/icon-192.png"),
    badge: at("/badge-96.png"),
    // The dashboard on the screen shows it, too.
    silent: pages.some(({ visibilityState }) => visibilityState === "visible"),
  });
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.path));
});

/** Opens a page, in another window than what somebody may be doing in the dashboard. */
async function open(path) {
  const url = new URL(at(path), self.location.origin).href;
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const same = pages.find((page) => page.url === url);
  await (same === undefined ? self.clients.openWindow(url) : same.focus());
}
