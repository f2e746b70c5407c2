/** Follows a link to a heading or a footnote of the same text, without changing the page's URL. */
export function followAnchor(event: MouseEvent): void {
  const { target, currentTarget } = event;
  if (!(target instanceof Element) || !(currentTarget instanceof HTMLElement)) return;
  const anchor = target.closest("a[href^='#']")?.getAttribute("href")?.slice(1);
  if (anchor === undefined || anchor === "") return;
  event.preventDefault();
  const place = currentTarget.querySelector<HTMLElement>(`[data-anchor="${CSS.escape(decode(anchor))}"]`);
  if (place === null) return;
  for (
    let around = place.closest("details");
    around !== null;
    around = around.parentElement?.closest("details") ?? null
  )
    around.open = true;
  place.scrollIntoView({ block: "center" });
  if (!place.matches("a")) place.tabIndex = -1;
  place.focus({ preventScroll: true });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
