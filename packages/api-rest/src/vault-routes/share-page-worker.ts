import { parentPort } from "node:worker_threads";
import { renderMarkdown } from "./render-markdown.ts";
import type { RenderRequest } from "./render-thread.ts";

parentPort?.on("message", ({ text, fileUrl }: RenderRequest) => {
  parentPort?.postMessage(renderMarkdown(text, { toFileUrl: (target) => fileUrl + encodeURIComponent(target) }));
});
// Loading the modules took a while; the deadline of the first text starts now.
parentPort?.postMessage("ready");
