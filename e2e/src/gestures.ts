import type { Locator, Page } from "playwright-core";

interface Point {
  readonly x: number;
  readonly y: number;
}

export async function centerOf(element: Locator): Promise<Point> {
  const box = await element.boundingBox();
  if (box === null) throw new Error("The element is not visible.");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Drags one element onto another with the mouse. */
export async function dragWithMouse(page: Page, what: Locator, onto: Locator): Promise<void> {
  const from = await centerOf(what);
  const to = await centerOf(onto);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 8 });
  await page.mouse.up();
}

/** Presses an element by touch for some time. */
export async function press(page: Page, element: Locator, durationMs: number): Promise<void> {
  await element.scrollIntoViewIfNeeded();
  const point = await centerOf(element);
  const touch = await page.context().newCDPSession(page);
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [point] });
  await page.waitForTimeout(durationMs);
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await touch.detach();
}

/**
 * Long-presses a card of the board, drags it to the right edge, where the board scrolls, and drops it on the last column.
 */
export async function carryToLastColumn(page: Page, card: Locator): Promise<void> {
  await card.scrollIntoViewIfNeeded();
  const { x, y } = await centerOf(card);
  const touch = await page.context().newCDPSession(page);
  const moveTo = (point: Point) =>
    touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x: point.x, y: point.y }] });
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
  await page.waitForTimeout(450);
  for (const share of [0.5, 0.8, 0.98]) {
    await moveTo({ x: x + (375 - x) * share, y });
    await page.waitForTimeout(50);
  }
  await page.waitForFunction(() => {
    const done = document.querySelector('[data-column="done"]')?.getBoundingClientRect();
    return done !== undefined && done.left < 250;
  });
  await moveTo({ x: 330, y });
  await page.waitForTimeout(80);
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await touch.detach();
}

/** Holds an element by touch and carries it to a height, as far as the finger is to the side of where it began. */
export async function holdAndCarry(
  page: Page,
  what: Locator,
  to: { readonly y: number; readonly dx?: number },
): Promise<void> {
  const { x, y } = await centerOf(what);
  const touch = await page.context().newCDPSession(page);
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
  await page.waitForTimeout(700);
  for (const share of [0.2, 0.5, 0.8, 1]) {
    const point = { x: x + (to.dx ?? 0) * share, y: y + (to.y - y) * share };
    await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [point] });
    await page.waitForTimeout(80);
  }
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await touch.detach();
}
