// Runs before the first paint, so that a stored theme never flashes. src/browser/theme.ts follows the same rules.
(function () {
  var choice = null;
  try {
    choice = localStorage.getItem("workspace.theme");
  } catch {
    // Storage may be blocked; the system's scheme is used.
  }
  var isDark = choice === "dark" || (choice !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  document.querySelector('meta[name="theme-color"]').content = isDark ? "#131316" : "#f6f6f7";
})();
