import { PHONE, TOUCH, useMediaQuery } from "../browser/use-media-query.ts";

const ROW_PX = 36;
const TOUCH_ROW_PX = 48;
const TWO_LINE_ROW_PX = 60;

/** The height of a row on this device: on a phone it has a second line for what is shown in columns elsewhere. */
export function useRowHeight(): number {
  const isPhone = useMediaQuery(PHONE);
  const isTouch = useMediaQuery(TOUCH);
  if (isPhone) return TWO_LINE_ROW_PX;
  return isTouch ? TOUCH_ROW_PX : ROW_PX;
}
