import { toText } from "../documents/document-content.ts";
import type { Document } from "../documents/document.schema.ts";
import type { DocumentService } from "../documents/document.service.ts";
import type { LargeReads } from "../platform/large-reads.ts";
import type { Page, Paging } from "../platform/paging.ts";
import type { VaultService } from "../vault/vault.service.ts";
import type { KnowledgeFile, OpenKnowledgeFile } from "./knowledge.schema.ts";

export interface KnowledgeServiceDeps {
  readonly documents: Pick<DocumentService, "list" | "openByPath">;
  readonly vault: Pick<VaultService, "openStream">;
  /** The longest file that is answered in one piece. */
  readonly maxContentBytes: number;
  readonly largeReads: LargeReads;
}

export type KnowledgeService = ReturnType<typeof createKnowledgeService>;

/** The vault as other programs read it: every visible file, and its whole content. */
export function createKnowledgeService(deps: KnowledgeServiceDeps) {
  const { documents, vault, maxContentBytes, largeReads } = deps;

  return {
    /** Newest change first. */
    async list(paging: Paging = {}): Promise<Page<KnowledgeFile>> {
      const { items, ...rest } = await documents.list(paging);
      return { items: items.map(toKnowledgeFile), ...rest };
    },

    /**
     * One file, from the disk. Throws where there is none (404), where the path leaves the vault or is hidden (403), for a
     * directory (400), and where it is too long for one answer (413).
     */
    async get(path: string, userId: string): Promise<OpenKnowledgeFile> {
      const { document } = await documents.openByPath(path, userId);
      const { file } = await vault.openStream(path);
      try {
        const bytes = await largeReads.run(file.stat.sizeBytes, () => file.readAll(maxContentBytes));
        const text = toText(bytes);
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
