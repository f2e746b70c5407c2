import type { DiagramMessage, DiagramRequest } from "./diagram-messages.ts";
import { drawDiagram } from "./draw-diagram.ts";
import "./diagram-page.css";

/**
 * The page that draws diagrams, in a sandboxed frame. Its URL may contain the text of one, which it then shows, as on a shared
 * page; otherwise it draws what the page around it asks for.
 */
const source = textOfUrl();
if (source === "") answerRequests();
else void showDiagram(source);

function textOfUrl(): string {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";
  }
}

function answerRequests(): void {
  // The page around the frame cannot be named: from here, it is of another origin.
  const post = (message: DiagramMessage) => parent.postMessage(message, "*");
  addEventListener("message", ({ source: sender, data }: MessageEvent<DiagramRequest>) => {
    if (sender === parent) void drawDiagram(data).then((diagram) => post({ diagram }));
  });
  post("ready");
}

async function showDiagram(text: string): Promise<void> {
  const isDark = matchMedia("(prefers-color-scheme: dark)");
  const show = async () => {
    const diagram = await drawDiagram({ source: text, theme: isDark.matches ? "dark" : "light" });
    document.body.replaceChildren(diagram === null ? sourceOf(text) : imageOf(diagram.svg));
  };
  isDark.addEventListener("change", () => void show());
  await show();
}

function imageOf(svg: string): HTMLElement {
  const image = document.createElement("img");
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  image.alt = "Diagram";
  return image;
}

function sourceOf(text: string): HTMLElement {
  const element = document.createElement("pre");
  element.textContent = text;
  return element;
}
