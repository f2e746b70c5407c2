import { inSlices, InvalidInputError, splitText } from "@workspace/core";
import { SaxesParser } from "saxes";

/** An element of a request, by its namespace and its name. */
export interface XmlElement {
  /** As {@link qualified} writes it. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

/** Reading this much takes a few milliseconds. */
const PIECE_CHARACTERS = 16 * 1024;
/** Deeper than any request of WebDAV. */
const MAX_DEPTH = 20;
/** A request for ten thousand tasks names each of them. */
const MAX_ELEMENTS = 25_000;
/** Names are repeated in responses, for each thing that does not have such a property. */
const MAX_NAME_LENGTH = 200;

interface OpenElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: OpenElement[];
  text: string;
}

/** The name of an element with its namespace, such as `{DAV:}prop`. */
export function qualified(namespace: string, name: string): string {
  return `{${namespace}}${name}`;
}

/**
 * Reads the XML of a request; yields to the event loop in between. It may have no document type, so that there are no entities but
 * XML's own. Throws {@link InvalidInputError} if it is not well-formed, too deep, or has too many elements or too long names.
 */
export async function readXml(text: string): Promise<XmlElement> {
  const parser = new SaxesParser({ xmlns: true });
  const open: OpenElement[] = [];
  let root: OpenElement | undefined;
  let count = 0;
  parser.on("error", (error) => {
    throw invalid("is not well-formed", error);
  });
  parser.on("doctype", () => {
    throw invalid("may have no document type");
  });
  parser.on("opentag", ({ uri, local, attributes }) => {
    count += 1;
    if (count > MAX_ELEMENTS || open.length >= MAX_DEPTH) throw invalid("has too many elements, or too deep ones");
    if (local.length > MAX_NAME_LENGTH || uri.length > MAX_NAME_LENGTH) throw invalid("has too long names");
    if (/[{}]/.test(uri)) throw invalid("has a namespace with braces, which no URI has");
    const values = Object.values(attributes).map(({ local: name, value }): [string, string] => [name, value]);
    const element = { name: qualified(uri, local), attributes: new Map(values), children: [], text: "" };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  const addText = (piece: string): void => {
    const element = open.at(-1);
    if (element !== undefined) element.text += piece;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => void open.pop());
  await inSlices(splitText(text, PIECE_CHARACTERS), (piece) => void parser.write(piece));
  parser.close();
  if (root === undefined) throw invalid("has no element");
  return root;
}

function invalid(what: string, cause?: unknown): InvalidInputError {
  return new InvalidInputError(`The XML of the request ${what}.`, { cause });
}
