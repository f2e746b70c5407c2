// Runs before the first paint, so that a stored theme never flashes. src/browser/theme.ts and
// src/features/shell/sidebar-state.ts follow the same rules.
(function () {
  /** The path below which the dashboard is, as in src/browser/base-path.ts. */
  var BASE_PATH = new URL(document.currentScript.src).pathname.replace(/\/first-paint\.js$/, "");
  // Opened at the server itself, past the proxy that keeps the path, the page continues where its cookies are.
  if (location.pathname.indexOf(BASE_PATH + "/") !== 0)
    location.replace(BASE_PATH + location.pathname + location.search + location.hash);
  var PAGES =
    "Tasks Chat Documents Projects Views Memory Agents Hooks Approvals Usage Secrets Connect Deleted Settings".split(
      " ",
    );
  var WITHOUT_FRAME = /^\/(sign-in|sign-up|forgot-password|reset-password|authorize)\/?$/;

  function stored(key) {
    try {
      return localStorage.getItem("workspace" + BASE_PATH + "." + key);
    } catch {
      // Storage may be blocked; then nothing has been chosen.
      return null;
    }
  }

  var choice = stored("theme");
  var isDark = choice === "dark" || (choice !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  document.querySelector('meta[name="theme-color"]').content = isDark ? "#131316" : "#f6f6f7";

  /** Loads the scripts of the page together with those of every page, which would ask for them. The build has named them. */
  function loadPage() {
    var meta = document.querySelector('meta[name="page-files"]');
    if (meta === null) return;
    var files = meta.content.split(" ");
    var name = location.pathname.slice(BASE_PATH.length + 1).replace(/\/$/, "") || "home";
    var own = meta.dataset.pages.split(" ").find(function (page) {
      return page.indexOf(name + ":") === 0;
    });
    if (own === undefined) return;
    own
      .slice(name.length + 1)
      .split(",")
      .forEach(function (index) {
        var link = document.createElement("link");
        link.rel = "modulepreload";
        link.crossOrigin = "";
        link.href = BASE_PATH + "/" + files[Number(index)];
        document.head.append(link);
      });
  }
  loadPage();

  /** Fits what index.html shows until the application has loaded to the page and to what the user has chosen. */
  function completeFrame(frame, title) {
    var path = location.pathname.slice(BASE_PATH.length);
    if (WITHOUT_FRAME.test(path)) {
      frame.remove();
      return;
    }
    title.textContent =
      path === "/"
        ? "Home"
        : PAGES.find(function (page) {
            return "/" + page.toLowerCase() === path;
          }) || "";
    var sidebar = document.getElementById("first-sidebar");
    var choice = stored("sidebar");
    var isCollapsed = choice === null ? matchMedia("(max-width: 1023px)").matches : choice === "collapsed";
    if (!isCollapsed) return;
    sidebar.classList.replace("w-58", "w-13");
    sidebar.textContent = "";
  }

  var observer = new MutationObserver(function () {
    var frame = document.getElementById("first-frame");
    var title = document.getElementById("first-title");
    if (frame === null || title === null) return;
    observer.disconnect();
    completeFrame(frame, title);
  });
  observer.observe(document, { childList: true, subtree: true });
})();
