// Shows push messages, and a page of its own while the server cannot be reached. It never responds with anything else that is stored:
// what a browser shows of the dashboard is always what the server sends.
const CACHE = "offline-1";
const OFFLINE_PAGE = "/offline.html";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.add(new Request(OFFLINE_PAGE, { cache: "reload" }))));
  self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  const deleteOld = (names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(deleteOld));
});

self.addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate") return;
  event.respondWith(
    fetch(event.request).catch(async (error) => {
      const page = await caches.match(OFFLINE_PAGE);
      if (page === undefined) throw error;
      return page;
    }),
  );
});

self.addEventListener("push", (event) => event.waitUntil(show(event.data)));

/** Browsers withdraw the permission of pages that get messages and show nothing, so each is shown. */
async function show(data) {
  const { title, body, path, tag } = data.json();
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  await self.registration.showNotification(title, {
    body,
    tag,
    data: { path },
    icon: "/icon-192.png",
    badge: "/badge-96.png",
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
  const url = new URL(path, self.location.origin).href;
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const same = pages.find((page) => page.url === url);
  await (same === undefined ? self.clients.openWindow(url) : same.focus());
}
