import * as z from "zod";
import { isTimeZone } from "./time-zone.ts";

/** The IANA name of a time zone. */
export const timeZoneInput = z
  .string()
  .refine(isTimeZone, "expected the IANA name of a time zone, such as Europe/Berlin");
