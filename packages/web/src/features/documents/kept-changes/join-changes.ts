import type { DocumentChange, KeptChange } from "../../outbox/kept-change.ts";
import { joinedDetails } from "../document-details.ts";

/** Both changes of a document as one, of which the second was made later; null if they are two. */
export function joinedChange(one: DocumentChange, later: DocumentChange): DocumentChange | null {
  if (one.kind === "move-document" && later.kind === "move-document") {
    return { ...later, formerPaths: [...new Set([...one.formerPaths, one.path, ...later.formerPaths])] };
  }
  if (one.kind === "update-document" && later.kind === "update-document") {
    return {
      kind: "update-document",
      patch: joinedDetails(one.patch, later.patch),
      before: joinedDetails(later.before, one.before),
      earlier: [...one.earlier, one.patch],
    };
  }
  const isOpposite =
    (one.kind === "delete-document" && later.kind === "restore-document") ||
    (one.kind === "restore-document" && later.kind === "delete-document");
  return isOpposite ? later : null;
}

/** The kinds of changes that take or free a path, or make a folder for one. */
const OF_PATHS = /^(create|delete)-note$|^create-folder$|^(move|delete|restore)-document$/;

/** The change of a document with which a later one can be joined, because no change was kept in between that it depends on. */
export function findJoinable(
  kept: readonly KeptChange[],
  rowId: string,
  later: DocumentChange,
): { readonly number: number; readonly change: DocumentChange } | undefined {
  for (const { number, rowId: other, change } of kept.toReversed()) {
    if (other === rowId) {
      if (!isDocumentChange(change)) return undefined;
      if (joinedChange(change, later) !== null) return { number, change };
      if (change.kind === "delete-document" || change.kind === "restore-document") return undefined;
      if (later.kind === "delete-document" || later.kind === "restore-document") return undefined;
    } else if (
      later.kind === "update-document" ? /^(create|restore)-project$/.test(change.kind) : OF_PATHS.test(change.kind)
    )
      return undefined;
  }
  return undefined;
}

/** Whether what is kept is a change of a document that the server has. */
export function isDocumentChange(change: KeptChange["change"]): change is DocumentChange {
  return change.kind.endsWith("-document");
}
