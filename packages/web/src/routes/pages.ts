import { House } from "lucide-react";
import { page, RESOURCE_KINDS } from "../resources/resources.ts";

/** The navigation: Home, then the page of each kind of resource. The phone's bottom bar shows the first four. */
export const PAGES = [
  { ...page("/", "Home", "h", () => import("../features/home/home-page.tsx")), icon: House },
  ...RESOURCE_KINDS.map((kind) => ({ ...kind.page, icon: kind.icon })),
];
