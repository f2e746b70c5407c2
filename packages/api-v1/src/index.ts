export { v1Router } from "./router.ts";
