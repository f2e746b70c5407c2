import { parentPort } from "node:worker_threads";
import { renderMarkdown } from "./render-markdown.ts";
import type { ConvertRequest, RenderRequest } from "./render-thread.ts";

async function answer(request: RenderRequest | ConvertRequest): Promise<void> {
  parentPort?.postMessage("text" in request ? await render(request) : await convert(request));
}

function render({ text, fileUrl, basePath = "" }: RenderRequest): Promise<string | null> {
  return renderMarkdown(text, { basePath, toFileUrl: (target) => basePath + fileUrl + encodeURIComponent(target) });
}

/** Null if the page is nested too deeply. */
async function convert({ notionHtml }: ConvertRequest): Promise<string | null> {
  const { notionToMarkdown } = await import("@workspace/markdown/from-html");
  try {
    return notionToMarkdown(notionHtml);
  } catch {
    return null;
  }
}

parentPort?.on("message", (request: RenderRequest | ConvertRequest) => void answer(request));
// Loading the modules took a while; the deadline of the first text starts now.
parentPort?.postMessage("ready");
