/**
 * `npm start`: installs and builds what is needed, then serves in this same process, so that signals reach the server.
 */
import { prepare } from "./prepare.mjs";

prepare();
process.env.NODE_ENV ??= "production";
await import("../packages/api-rest/dist/main.js");
