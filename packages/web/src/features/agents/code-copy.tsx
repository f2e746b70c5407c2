import type { RefObject } from "react";
import { createPortal } from "react-dom";
import { CopyButton } from "../../components/copy-button.tsx";
import { usePlaces } from "../documents/reading/use-places.ts";

/** Further blocks in a text have no button of their own. */
const MAX_BLOCKS = 100;

/** A button on each block of code in a rendered text that copies it. */
export default function CodeCopy({ containerRef }: { readonly containerRef: RefObject<HTMLElement | null> }) {
  return usePlaces(containerRef, findCode).map((block, index) =>
    createPortal(
      <span className="code-copy" contentEditable={false}>
        <CopyButton isBare what="the code" text={() => Promise.resolve(codeOf(block))} />
      </span>,
      block,
      String(index),
    ),
  );
}

const BLOCKS = "pre:has(> code):not([data-figure=math], [data-figure=mermaid], .query-place pre)";

function findCode(container: HTMLElement): HTMLElement[] {
  return [...container.querySelectorAll<HTMLElement>(BLOCKS)].slice(0, MAX_BLOCKS);
}

function codeOf(block: HTMLElement): string {
  return (block.querySelector("code")?.textContent ?? "").replace(/\n$/, "");
}
