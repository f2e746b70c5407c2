import type { Deps } from "../../platform/deps.ts";
import { NotFoundError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import { inSlices } from "../../platform/in-slices.ts";
import { selectDocument } from "../file-records/document.queries.ts";
import { createLinkResolver, linkNameOf, linkNamesTo, readingsOf } from "../markdown/wiki-links.ts";
import { selectLinksFrom, selectLinksNamed, type LinkWithSource } from "./document-graph.queries.ts";
import { selectByLinkNames } from "./document-link.queries.ts";
import type { DocumentGraph, GraphInput } from "./document-graph.schema.ts";

/** So many links are looked at for each step away from the document, in each direction. */
const MAX_LINKS_PER_STEP = 5_000;
const MAX_EDGES = 3_000;

type Place = LinkWithSource["source"];
type Node = DocumentGraph["nodes"][number];

export type DocumentGraphService = ReturnType<typeof createDocumentGraphService>;

/** Finds what is linked around a document. */
export function createDocumentGraphService({ db }: Deps<"db">) {
  /** The links from and to some documents. */
  async function readLinks(places: readonly Place[]) {
    const names = [...new Set(places.flatMap(({ path }) => linkNamesTo(path)))];
    const [outgoing, incoming] = await Promise.all([
      selectLinksFrom(
        db.pool,
        places.map(({ id }) => id),
        MAX_LINKS_PER_STEP,
      ),
      selectLinksNamed(db.pool, names, MAX_LINKS_PER_STEP),
    ]);
    const all = [...outgoing, ...incoming];
    const targetNames = new Set(all.flatMap(({ link }) => readingsOf(link).map(linkNameOf)));
    const resolve = createLinkResolver(await selectByLinkNames(db.pool, [...targetNames]));
    const edges: { from: Place; to: Place }[] = [];
    await inSlices(all, ({ source, link }) => {
      const to = resolve(link, source.path)?.document;
      if (to !== undefined && to.id !== source.id) edges.push({ from: source, to });
    });
    return { edges, isCut: outgoing.length === MAX_LINKS_PER_STEP || incoming.length === MAX_LINKS_PER_STEP };
  }

  return {
    /**
     * The documents that are linked to one, over so many links in either direction, and the links between them. The nearest come first, and
     * what is more than `limit` is left out. Throws {@link NotFoundError}.
     */
    async around({ id, depth, limit }: GraphInput): Promise<DocumentGraph> {
      const document = isUuid(id) ? await selectDocument(db.pool, id) : null;
      if (document === null) throw new NotFoundError("There is no such document.");
      const center = { id: document.id, path: document.path, title: document.title, distance: 0 };
      const nodes = new Map<string, Node & Place>([[center.id, center]]);
      const edges = new Map<string, { from: string; to: string }>();
      let isCut = false;
      let reached: Place[] = [center];
      // One step more than the depth, for the links between the last documents that were reached.
      for (let distance = 1; distance <= depth + 1 && reached.length > 0; distance += 1) {
        const found = await readLinks(reached);
        isCut ||= found.isCut && distance <= depth;
        const next: Place[] = [];
        for (const { from, to } of found.edges) {
          for (const place of [from, to]) {
            if (nodes.has(place.id) || distance > depth) continue;
            if (nodes.size >= limit) {
              isCut = true;
              continue;
            }
            nodes.set(place.id, { id: place.id, path: place.path, title: place.title, distance });
            next.push(place);
          }
          const isShown = nodes.has(from.id) && nodes.has(to.id);
          if (isShown && edges.size < MAX_EDGES) edges.set(`${from.id} ${to.id}`, { from: from.id, to: to.id });
          else if (isShown) isCut = true;
        }
        reached = next;
      }
      return { nodes: [...nodes.values()], edges: [...edges.values()], isCut };
    },
  };
}
