import { Text } from "@codemirror/state";
import { computeInSlices, type Pausable } from "../../../browser/compute-in-slices.ts";
import { textChunks } from "@workspace/markdown/text-chunks";

/** The document of a longer text is created in slices. */
const LONG = 64 * 1024;

const strings = new WeakMap<Text, string>();

/** The text of a document. It is cached, because creating it takes ten milliseconds for half a megabyte in short lines. */
export function stringOf(doc: Text): string {
  const known = strings.get(doc);
  if (known !== undefined) return known;
  // For many lines, this is faster than `toString()`.
  const text = doc.toJSON().join("\n");
  strings.set(doc, text);
  return text;
}

/** Creates a document; asynchronously if that could block the page. */
export function documentOf(text: string): Text | Promise<Text> {
  return text.length <= LONG ? toDocument(text) : computeInSlices(longDocument(text));
}

/** Creates the document of a long text. */
export function* longDocument(text: string): Pausable<Text> {
  let doc = Text.empty;
  for (const chunk of textChunks(text, LONG)) {
    doc = doc.append(toDocument(chunk));
    yield;
  }
  return doc;
}

/** Splits a text into lines as the editor does, but faster for usual line breaks. */
export function toDocument(text: string): Text {
  return Text.of(text.split(text.includes("\r") ? /\r\n?|\n/ : "\n"));
}
