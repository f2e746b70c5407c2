import {
  inSlices,
  InvalidInputError,
  NotFoundError,
  type ApiKeyPrincipal,
  type CalendarObject,
  type CalendarObjectService,
} from "@workspace/core";
import { DavError } from "./dav-error.ts";
import { readFilter } from "./dav-filter.ts";
import {
  collectionPath,
  HOME_PATH,
  objectPath,
  parseDavPath,
  PRINCIPAL_PATH,
  ROOT_PATH,
  type DavPath,
} from "./dav-path.ts";
import {
  collectionProperties,
  homeProperties,
  objectProperties,
  principalProperties,
  propertyResponse,
  refusedProperties,
  rootProperties,
  statusResponse,
  truncatedResponse,
  type PropertyContext,
  type PropertyRequest,
} from "./dav-properties.ts";
import { CALDAV, DAV, element, xmlDocument, xmlText, type Xml } from "./xml-writer.ts";
import { qualified, readXml, type XmlElement } from "./xml-reader.ts";

const CALENDAR_DATA = qualified(CALDAV, "calendar-data");
/** As many as a collection has. */
const MAX_HREFS = 10_000;
/** Programs ask for about fifty. All names together are repeated for each task that does not have such properties. */
const MAX_PROPERTIES = 100;
const MAX_NAME_CHARACTERS = 5_000;
const ALL: PropertyRequest = { kind: "all" };

type Objects = Pick<
  CalendarObjectService,
  "listCollections" | "getCollection" | "list" | "read" | "findMatching" | "getToken" | "listChanges"
>;

export interface DavRead {
  readonly path: DavPath;
  readonly principal: ApiKeyPrincipal;
  /** The `Depth` of the request. */
  readonly depth: "0" | "1";
  readonly body: string;
}

/** What is below a URL, and its properties: the document that responds to a `PROPFIND`. */
export async function findProperties(
  objects: Objects,
  { path, principal, depth, body }: DavRead,
): Promise<readonly Xml[]> {
  const request = body.trim() === "" ? ALL : readPropfind(await readXml(body));
  // Before anything is read, so that nothing is missed that changes meanwhile.
  const context = { principal, syncToken: await objects.getToken() };
  return multistatus([
    await ownProperties(objects, path, context, request),
    ...(depth === "1" ? await childProperties(objects, path, context, request) : []),
  ]);
}

/** The document that responds to a `PROPPATCH`: no property can be changed here. */
export async function refuseProperties(url: string, body: string): Promise<readonly Xml[]> {
  const props = (await readXml(body)).children.flatMap(({ children }) =>
    children.filter(({ name }) => name === qualified(DAV, "prop")),
  );
  return multistatus([refusedProperties(url, namesIn(props))]);
}

/** The document that responds to a `REPORT`. */
export async function report(
  objects: Objects,
  { path, principal, body }: Omit<DavRead, "depth">,
): Promise<readonly Xml[]> {
  const root = await readXml(body);
  if (path.kind !== "collection") throw unsupportedReport();
  const { collectionId } = path;
  await objects.getCollection(collectionId);
  const request = readProperties(root) ?? ALL;
  const context = { principal, syncToken: "" };
  switch (root.name) {
    case qualified(CALDAV, "calendar-query"): {
      const filter = readFilter(root.children.find(({ name }) => name === qualified(CALDAV, "filter")));
      const found = await objects.findMatching(collectionId, filter);
      return multistatus(
        await responsesAbout(found, (object) => objectResponse(collectionId, object, context, request)),
      );
    }
    case qualified(CALDAV, "calendar-multiget"):
      return multistatus(await multiget(objects, collectionId, hrefsOf(root), context, request));
    case qualified(DAV, "sync-collection"):
      return syncCollection(objects, collectionId, root, context, request);
    default:
      throw unsupportedReport();
  }
}

async function ownProperties(
  objects: Objects,
  path: DavPath,
  context: PropertyContext,
  request: PropertyRequest,
): Promise<Xml> {
  switch (path.kind) {
    case "root":
      return propertyResponse(ROOT_PATH, rootProperties(), request);
    case "principal":
      return propertyResponse(PRINCIPAL_PATH, principalProperties(context), request);
    case "home":
      return propertyResponse(HOME_PATH, homeProperties(context), request);
    case "collection": {
      const collection = await objects.getCollection(path.collectionId);
      return propertyResponse(collectionPath(path.collectionId), collectionProperties(collection, context), request);
    }
    case "object": {
      const [object] = await objects.read(path.collectionId, [path.name]);
      if (object === undefined) throw new NotFoundError("There is no such task.");
      return propertyResponse(objectPath(path.collectionId, path.name), objectProperties(object, context), request);
    }
  }
}

async function childProperties(
  objects: Objects,
  path: DavPath,
  context: PropertyContext,
  request: PropertyRequest,
): Promise<Xml[]> {
  switch (path.kind) {
    case "root":
      return [
        propertyResponse(PRINCIPAL_PATH, principalProperties(context), request),
        propertyResponse(HOME_PATH, homeProperties(context), request),
      ];
    case "home":
      return responsesAbout(await objects.listCollections(), (collection) =>
        propertyResponse(collectionPath(collection.id), collectionProperties(collection, context), request),
      );
    case "collection":
      return responsesAbout(await objects.list(path.collectionId), (entry) =>
        propertyResponse(objectPath(path.collectionId, entry.name), objectProperties(entry, context), request),
      );
    case "principal":
    case "object":
      return [];
  }
}

function objectResponse(
  collectionId: string | null,
  object: CalendarObject,
  context: PropertyContext,
  request: PropertyRequest,
): Xml {
  const properties = objectProperties(object, context, object.text);
  return propertyResponse(objectPath(collectionId, object.name), properties, request);
}

/** Each task once, as its text may be long and the hrefs of a request many. */
async function multiget(
  objects: Objects,
  collectionId: string | null,
  hrefs: readonly string[],
  context: PropertyContext,
  request: PropertyRequest,
): Promise<Xml[]> {
  const hrefByName = new Map<string, string>();
  const elsewhere = new Set<string>();
  await inSlices(hrefs, (href) => {
    const name = nameIn(collectionId, href);
    if (name === null) elsewhere.add(href);
    else if (!hrefByName.has(name)) hrefByName.set(name, href);
  });
  const found = new Map(
    (await objects.read(collectionId, [...hrefByName.keys()])).map((object) => [object.name, object]),
  );
  const responses = await responsesAbout(hrefByName, ([name, href]) => {
    const object = found.get(name);
    return object === undefined
      ? statusResponse(href, 404)
      : propertyResponse(href, objectProperties(object, context, object.text), request);
  });
  return [...responses, ...(await responsesAbout(elsewhere, (href) => statusResponse(href, 404)))];
}

async function syncCollection(
  objects: Objects,
  collectionId: string | null,
  root: XmlElement,
  context: PropertyContext,
  request: PropertyRequest,
): Promise<readonly Xml[]> {
  const token = root.children.find(({ name }) => name === qualified(DAV, "sync-token"))?.text.trim() ?? "";
  const { changed, removed, isComplete, ...next } = await objects.listChanges(collectionId, {
    token: token === "" ? null : token,
    limit: readLimit(root),
  });
  const wantsText = request.kind === "some" && request.names.includes(CALENDAR_DATA);
  const texts = wantsText
    ? await objects.read(
        collectionId,
        changed.map(({ name }) => name),
      )
    : [];
  const textByName = new Map(texts.map(({ name, text }) => [name, text]));
  const responses = await responsesAbout(changed, (entry) =>
    propertyResponse(
      objectPath(collectionId, entry.name),
      objectProperties(entry, context, textByName.get(entry.name)),
      request,
    ),
  );
  const gone = await responsesAbout(removed, (name) => statusResponse(objectPath(collectionId, name), 404));
  const rest = isComplete ? [] : [truncatedResponse(collectionPath(collectionId))];
  return multistatus([...responses, ...gone, ...rest, element("d:sync-token", [xmlText(next.token)])]);
}

/** How many changes a program wants at most (RFC 6578, 3.7); undefined if it does not say. */
function readLimit({ children }: XmlElement): number | undefined {
  const limit = children.find(({ name }) => name === qualified(DAV, "limit"));
  const count = limit?.children.find(({ name }) => name === qualified(DAV, "nresults"))?.text.trim();
  if (limit === undefined) return undefined;
  if (count === undefined || !/^\d{1,9}$/.test(count))
    throw new InvalidInputError("Expected a DAV:limit with a number in its DAV:nresults.");
  return Number(count);
}

/** The host of an `href`, and the base path. */
const BEFORE_PATH = /^(?:https?:\/\/[^/]*)?(?:\/[\w.~-]+)*?(?=\/caldav\/)/i;

/** The name of the object that an `href` means, which may be a whole URL; null if it is in no such collection. */
function nameIn(collectionId: string | null, href: string): string | null {
  const path = parseDavPath(href.replace(BEFORE_PATH, ""));
  return path?.kind === "object" && path.collectionId === collectionId ? path.name : null;
}

function hrefsOf({ children }: XmlElement): string[] {
  const hrefs = children.filter(({ name }) => name === qualified(DAV, "href")).map(({ text }) => text.trim());
  if (hrefs.length > MAX_HREFS) throw new InvalidInputError(`Ask for at most ${MAX_HREFS} tasks at once.`);
  return hrefs;
}

function readPropfind(root: XmlElement): PropertyRequest {
  if (root.name !== qualified(DAV, "propfind")) throw new InvalidInputError("Expected a DAV:propfind.");
  if (root.children.some(({ name }) => name === qualified(DAV, "propname"))) return { kind: "names" };
  return readProperties(root) ?? ALL;
}

function readProperties({ children }: XmlElement): PropertyRequest | null {
  const prop = children.find(({ name }) => name === qualified(DAV, "prop"));
  return prop === undefined ? null : { kind: "some", names: namesIn([prop]) };
}

/** The names of the properties, each once. */
function namesIn(props: readonly XmlElement[]): string[] {
  const names = [...new Set(props.flatMap(({ children }) => children.map(({ name }) => name)))];
  if (names.length > MAX_PROPERTIES || names.join("").length > MAX_NAME_CHARACTERS)
    throw new InvalidInputError(`Name at most ${MAX_PROPERTIES} properties, in ${MAX_NAME_CHARACTERS} characters.`);
  return names;
}

/** Yields to the event loop in between: a collection has thousands of tasks, each with dozens of elements. */
async function responsesAbout<Item>(items: Iterable<Item>, toResponse: (item: Item) => Xml): Promise<Xml[]> {
  const responses: Xml[] = [];
  await inSlices(items, (item) => responses.push(toResponse(item)));
  return responses;
}

function multistatus(contents: readonly Xml[]): readonly Xml[] {
  return xmlDocument("d:multistatus", contents);
}

function unsupportedReport(): DavError {
  return new DavError(403, "d:supported-report", "There is no such report here.");
}
