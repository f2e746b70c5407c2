import type { ApiKeyPrincipal, ObjectEntry, TaskCollection } from "@workspace/core";
import { MAX_BODY_BYTES } from "./dav-body.ts";
import { HOME_PATH, PRINCIPAL_PATH } from "./dav-path.ts";
import { CALDAV, DAV, element, emptyElement, xmlText, type Xml, type XmlName } from "./xml-writer.ts";
import { qualified } from "./xml-reader.ts";

/** The properties of something, by their qualified names, each as an element. */
export type Properties = ReadonlyMap<string, Xml>;

const CALENDAR_SERVER = "http://calendarserver.org/ns/";
const APPLE = "http://apple.com/ns/ical/";
const NAMESPACE_OF: Readonly<Record<string, string>> = { d: DAV, c: CALDAV, cs: CALENDAR_SERVER, a: APPLE };
const NO_PROJECT_NAME = "No project";

/** Who asks, and through what change they would learn of news. */
export interface PropertyContext {
  readonly principal: ApiKeyPrincipal;
  /** The token of the present. */
  readonly syncToken: string;
}

export function href(path: string): Xml {
  return element("d:href", [xmlText(path)]);
}

/** Of the first thing that a program looks at. */
export function rootProperties(): Properties {
  return toProperties([["d:resourcetype", [element("d:collection")]], currentPrincipal()]);
}

export function principalProperties({ principal }: PropertyContext): Properties {
  return toProperties([
    ["d:resourcetype", [element("d:collection"), element("d:principal")]],
    ["d:displayname", [xmlText(principal.name)]],
    ["d:principal-URL", [href(PRINCIPAL_PATH)]],
    ["c:calendar-home-set", [href(HOME_PATH)]],
    ["c:calendar-user-address-set", [href(PRINCIPAL_PATH)]],
    currentPrincipal(),
  ]);
}

export function homeProperties(context: PropertyContext): Properties {
  return toProperties([
    ["d:resourcetype", [element("d:collection")]],
    ["d:displayname", [xmlText("Tasks")]],
    ["d:owner", [href(PRINCIPAL_PATH)]],
    // Projects are created in the dashboard.
    privileges(context, []),
    currentPrincipal(),
  ]);
}

export function collectionProperties({ name, color, state }: TaskCollection, context: PropertyContext): Properties {
  const reports = [element("c:calendar-query"), element("c:calendar-multiget"), element("d:sync-collection")];
  return toProperties([
    ["d:resourcetype", [element("d:collection"), element("c:calendar")]],
    ["d:displayname", [xmlText(name ?? NO_PROJECT_NAME)]],
    ["d:owner", [href(PRINCIPAL_PATH)]],
    ["d:sync-token", [xmlText(context.syncToken)]],
    ["cs:getctag", [xmlText(state)]],
    ...(color === null ? [] : [property("a:calendar-color", [xmlText(`${color}FF`)])]),
    ["c:supported-calendar-component-set", [element("c:comp", [], { name: "VTODO" })]],
    [
      "c:supported-calendar-data",
      [element("c:calendar-data", [], { "content-type": "text/calendar", version: "2.0" })],
    ],
    ["c:max-resource-size", [xmlText(String(MAX_BODY_BYTES))]],
    ["d:supported-report-set", reports.map((report) => element("d:supported-report", [element("d:report", [report])]))],
    privileges(context, ["d:write", "d:write-content", "d:bind", "d:unbind"]),
    currentPrincipal(),
  ]);
}

export function objectProperties(
  { tag, modifiedAt }: ObjectEntry,
  context: PropertyContext,
  text?: string,
): Properties {
  return toProperties([
    ["d:resourcetype", []],
    ["d:getetag", [xmlText(`"${tag}"`)]],
    ["d:getcontenttype", [xmlText("text/calendar; charset=utf-8; component=VTODO")]],
    ["d:getlastmodified", [xmlText(new Date(modifiedAt).toUTCString())]],
    ["d:owner", [href(PRINCIPAL_PATH)]],
    privileges(context, ["d:write", "d:write-content"]),
    currentPrincipal(),
    ...(text === undefined ? [] : [property("c:calendar-data", [xmlText(text)])]),
  ]);
}

/** What a request asks of the properties: all, only their names, or those with these names. */
export type PropertyRequest =
  { readonly kind: "all" } | { readonly kind: "names" } | { readonly kind: "some"; readonly names: readonly string[] };

/** The response about one thing: its properties, and those that it does not have. */
export function propertyResponse(path: string, properties: Properties, request: PropertyRequest): Xml {
  if (request.kind === "all") return response(path, [propstat(200, [...properties.values()])]);
  if (request.kind === "names") return response(path, [propstat(200, [...properties.keys()].map(emptyElement))]);
  const found = request.names.flatMap((name) => properties.get(name) ?? []);
  const missing = request.names.filter((name) => !properties.has(name)).map(emptyElement);
  const parts = [
    ...(found.length > 0 || missing.length === 0 ? [propstat(200, found)] : []),
    ...(missing.length === 0 ? [] : [propstat(404, missing)]),
  ];
  return response(path, parts);
}

/** The response about something that is not there, or about which there is nothing but a status. */
export function statusResponse(path: string, status: DavStatus): Xml {
  return response(path, [statusLine(status)]);
}

/** Says of a collection that more is to be told of it than this response does (RFC 6578, 3.6). */
export function truncatedResponse(path: string): Xml {
  return response(path, [statusLine(507), element("d:error", [element("d:number-of-matches-within-limits")])]);
}

/** The response about properties that cannot be changed. */
export function refusedProperties(path: string, names: readonly string[]): Xml {
  return response(path, [propstat(403, names.map(emptyElement))]);
}

type DavStatus = 200 | 403 | 404 | 507;
const REASONS: Readonly<Record<DavStatus, string>> = {
  200: "OK",
  403: "Forbidden",
  404: "Not Found",
  507: "Insufficient Storage",
};

function response(path: string, contents: readonly Xml[]): Xml {
  return element("d:response", [href(path), ...contents]);
}

function propstat(status: DavStatus, properties: readonly Xml[]): Xml {
  return element("d:propstat", [element("d:prop", properties), statusLine(status)]);
}

function statusLine(status: DavStatus): Xml {
  return element("d:status", [xmlText(`HTTP/1.1 ${status} ${REASONS[status]}`)]);
}

type PropertyEntry = readonly [name: XmlName, contents: readonly Xml[]];

function property(name: XmlName, contents: readonly Xml[]): PropertyEntry {
  return [name, contents];
}

function currentPrincipal(): PropertyEntry {
  return ["d:current-user-principal", [href(PRINCIPAL_PATH)]];
}

function privileges({ principal }: PropertyContext, ofWriters: readonly XmlName[]): PropertyEntry {
  const granted: readonly XmlName[] = ["d:read", ...(principal.scopes.has("tasks:write") ? ofWriters : [])];
  return ["d:current-user-privilege-set", granted.map((name) => element("d:privilege", [element(name)]))];
}

function toProperties(entries: readonly PropertyEntry[]): Properties {
  return new Map(
    entries.map(([name, contents]) => {
      const [prefix = "", local = ""] = name.split(":");
      return [qualified(NAMESPACE_OF[prefix] ?? "", local), element(name, contents)];
    }),
  );
}
