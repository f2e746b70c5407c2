import { parentPort } from "node:worker_threads";
import { renderMarkdown } from "./render-markdown.ts";
import type { RenderRequest } from "./render-thread.ts";

parentPort?.on("message", ({ text, fileUrl }: RenderRequest) => {
  parentPort?.postMessage(renderMarkdown(text, { toFileUrl: (target) => fileUrl + encodeURIComponent(target) }));
});
// Loading all this has taken a while; a text's time begins now.
parentPort?.postMessage("ready");
