import { parentPort } from "node:worker_threads";
import { renderMarkdown } from "./render-markdown.ts";
import type { RenderRequest } from "./render-thread.ts";

async function answer({ text, fileUrl }: RenderRequest): Promise<void> {
  const html = await renderMarkdown(text, { toFileUrl: (target) => fileUrl + encodeURIComponent(target) });
  parentPort?.postMessage(html);
}

parentPort?.on("message", (request: RenderRequest) => void answer(request));
// Loading the modules took a while; the deadline of the first text starts now.
parentPort?.postMessage("ready");
