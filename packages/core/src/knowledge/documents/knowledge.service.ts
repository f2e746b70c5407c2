import type { LargeReads } from "../../platform/large-reads.ts";
import type { Page, Paging } from "../../platform/paging.ts";
import type { Principal } from "../../platform/procedures/principal.ts";
import { toText } from "../file-records/document-content.ts";
import type { Document } from "../file-records/document-record.schema.ts";
import type { VaultService } from "../file-system/vault.service.ts";
import type { DocumentService } from "./document.service.ts";
import { folderOf, parsePathFor } from "./key-folder.ts";
import type { KnowledgeFile, OpenKnowledgeFile } from "./knowledge.schema.ts";

export interface KnowledgeServiceDeps {
  readonly documents: Pick<DocumentService, "list" | "openByPath">;
  readonly vault: Pick<VaultService, "openStream">;
  /** The size of the largest file that is returned in a single response. */
  readonly maxContentBytes: number;
  readonly largeReads: LargeReads;
}

export type KnowledgeService = ReturnType<typeof createKnowledgeService>;

/** Read access to the vault for other programs: all visible files with their whole content. */
export function createKnowledgeService(deps: KnowledgeServiceDeps) {
  const { documents, vault, maxContentBytes, largeReads } = deps;

  return {
    /** Lists the files to which the caller has access, most recently changed first. */
    async list(paging: Paging, principal: Principal): Promise<Page<KnowledgeFile>> {
      const { items, ...rest } = await documents.list({ ...paging, folder: folderOf(principal) });
      return { items: items.map(toKnowledgeFile), ...rest };
    },

    /**
     * Reads a file from disk. Throws if there is none (404), if the path leads outside the vault or the caller's folder or is hidden
     * (403), if it is a directory (400), and if it is too large for a single response (413).
     */
    async get(path: string, principal: Principal): Promise<OpenKnowledgeFile> {
      parsePathFor(principal, path);
      const { document } = await documents.openByPath(path, principal.userId);
      const { file } = await vault.openStream(path);
      try {
        const bytes = await largeReads.run(file.stat.sizeBytes, () => file.readAll(maxContentBytes));
        const text = await toText(bytes);
        const content = text ?? bytes.toString("base64");
        return { ...toKnowledgeFile(document), content, encoding: text === null ? "base64" : "utf-8" };
      } finally {
        file.release();
      }
    },
  };
}

function toKnowledgeFile({ path, title, fileType, size, modifiedAt }: Document): KnowledgeFile {
  return { path, title, fileType, size, modifiedAt };
}
