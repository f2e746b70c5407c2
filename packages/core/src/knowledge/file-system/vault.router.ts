import { NotFoundError } from "../../platform/errors.ts";
import { authorOf } from "../../platform/procedures/author.ts";
import { userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, asPage, dataOf, pageOf } from "../../platform/procedures/response.ts";
import {
  createdOutput,
  deletedOutput,
  deleteInput,
  fileEntrySchema,
  listInput,
  movedOutput,
  moveInput,
  pathInput,
  readOutput,
  renamedOutput,
  renameInput,
  writeInput,
  writeOutput,
} from "./vault.schema.ts";
import type { VaultService } from "./vault.service.ts";

interface FileSystemServices {
  readonly vault: VaultService;
}

const procedure = userProcedure<FileSystemServices>().tagged("File system");

/** Whether there is nothing at a path that a write could replace. If that is unknown, the path counts as taken. */
async function isFree({ services }: { readonly services: FileSystemServices }, path: string): Promise<boolean> {
  try {
    await services.vault.read(path);
    return false;
  } catch (error) {
    return error instanceof NotFoundError;
  }
}

export const vaultRouter = {
  list: procedure
    .rest("GET /fs/list", "List a directory, directories first", { errorStatuses: [403, 404] })
    .input(listInput)
    .output(pageOf(fileEntrySchema))
    .tool("List a directory of the vault; the root if no path is given.", { allows: "See which files there are." })
    .query(({ ctx, input: { path = "/", recursive, ...listing } }) =>
      asPage(ctx.services.vault.list(path, { ...listing, isRecursive: recursive === "true" })),
    ),

  read: procedure
    .rest("POST /fs/read", "Read a text file", { errorStatuses: [403, 404, 413], entityTagAt: ["data", "contentHash"] })
    .input(pathInput)
    .output(dataOf(readOutput))
    .tool("Read a text file of the vault.", { allows: "Read files." })
    .query(({ ctx, input }) => asData(ctx.services.vault.read(input.path))),

  write: procedure
    .rest("POST /fs/write", "Write a text file; missing directories are created", {
      errorStatuses: [403, 409, 412, 413, 507],
      bodyLimit: "content",
      entityTagAt: ["data", "contentHash"],
      takesIfMatch: "expectedHash",
      takesIfNoneMatch: true,
    })
    .input(writeInput)
    .output(dataOf(writeOutput))
    .tool(
      "Write a text file of the vault. The previous version is kept. To change a file, send the contentHash returned by fs_read as expectedHash.",
      {
        allows: "Create files and replace the content of existing ones. The previous version is kept.",
        inspect: async ({ ctx, input: { path, createOnly } }) => {
          const isHarmless = createOnly === true || (await isFree(ctx, path));
          return { effect: isHarmless ? "writes" : "destroys", subject: path };
        },
        echoes: true,
      },
    )
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.vault.write(input, authorOf(ctx)))),

  mkdir: procedure
    .rest("POST /fs/mkdir", "Create a directory and its missing parents", { errorStatuses: [403, 409, 507] })
    .input(pathInput)
    .output(dataOf(createdOutput))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.vault.createDirectory(input.path))),

  rename: procedure
    .rest("POST /fs/rename", "Rename a file or directory, or move it to another directory", {
      errorStatuses: [403, 404, 409],
    })
    .input(renameInput)
    .output(dataOf(renamedOutput))
    .tool("Rename or move a file or directory of the vault. An existing one is never replaced.", {
      allows: "Rename and move files and folders. An existing file is never replaced.",
      echoes: true,
    })
    .mutation("writes", ({ ctx, input }) =>
      asData(ctx.services.vault.rename(input.oldPath, input.newPath, authorOf(ctx))),
    ),

  delete: procedure
    .rest("POST /fs/delete", "Move a file or a whole directory to the trash", {
      errorStatuses: [403, 404, 412],
      takesIfMatch: "expectedHash",
    })
    .input(deleteInput)
    .output(dataOf(deletedOutput))
    .tool("Delete a file or directory of the vault. It stays in the trash for a while.", {
      allows: "Delete files and folders. They stay in the trash for a while.",
      inspect: ({ input }) => Promise.resolve({ effect: "destroys", subject: input.path }),
      echoes: true,
    })
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.vault.delete(input.path, input.expectedHash))),

  move: procedure
    .rest("POST /fs/move", "Move a file or directory into another directory", { errorStatuses: [403, 404, 409] })
    .input(moveInput)
    .output(dataOf(movedOutput))
    .mutation("writes", ({ ctx, input }) =>
      asData(ctx.services.vault.move(input.sourcePath, input.destinationPath, authorOf(ctx))),
    ),
};
