/** A piece of XML that is written already. */
export type Xml = string & { readonly __xml: unique symbol };

const NAMESPACES = {
  d: "DAV:",
  c: "urn:ietf:params:xml:ns:caldav",
  cs: "http://calendarserver.org/ns/",
  a: "http://apple.com/ns/ical/",
} as const;
const DECLARATIONS = Object.entries(NAMESPACES)
  .map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`)
  .join("");
type Prefix = keyof typeof NAMESPACES;
/** The name of an element with one of the prefixes that every document declares. */
export type XmlName = `${Prefix}:${string}`;

/** Elements of the namespaces that are known here, by their names in requests. */
export const DAV = NAMESPACES.d;
export const CALDAV = NAMESPACES.c;

// oxlint-disable-next-line no-control-regex -- XML has no form for them.
const NOT_IN_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

/** A text, escaped. Carriage returns are, too: a reader would take them for line feeds. */
export function xmlText(value: string): Xml {
  return toXml(
    value
      .toWellFormed()
      .replaceAll(NOT_IN_XML, "")
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
      .replaceAll("\r", "&#13;"),
  );
}

/** An element with these contents, and perhaps attributes. */
export function element(name: XmlName, contents: readonly Xml[] = [], attributes: Record<string, string> = {}): Xml {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${xmlText(value)}"`);
  const opening = `${name}${written.join("")}`;
  return toXml(contents.length === 0 ? `<${opening}/>` : `<${opening}>${contents.join("")}</${name}>`);
}

/** An empty element with the name of one in a request, of whatever namespace. */
export function emptyElement(qualifiedName: string): Xml {
  const [, namespace = "", name = ""] = /^\{([^}]*)\}(.+)$/.exec(qualifiedName) ?? [];
  return toXml(namespace === "" ? `<${name} xmlns=""/>` : `<x:${name} xmlns:x="${xmlText(namespace)}"/>`);
}

/** The pieces of a document with one element. */
export function xmlDocument(name: XmlName, contents: readonly Xml[]): readonly Xml[] {
  return [
    toXml(`<?xml version="1.0" encoding="utf-8"?>\n<${name}${DECLARATIONS}>`),
    ...contents,
    toXml(`</${name}>\n`),
  ];
}

function toXml(text: string): Xml {
  // oxlint-disable-next-line no-unsafe-type-assertion -- The one place that says what is XML.
  return text as Xml;
}
