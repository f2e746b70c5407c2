import { asData, asPage, dataOf, pageOf } from "../platform/response.ts";
import { router, userProcedure } from "../platform/trpc.ts";
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

const tags = ["File system"];

export const vaultRouter = router({
  list: userProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/fs/list",
        summary: "List a directory, directories first",
        tags,
        errorStatuses: [403, 404],
      },
    })
    .input(listInput)
    .output(pageOf(fileEntrySchema))
    .query(({ ctx, input }) => asPage(ctx.services.vault.list(input.path ?? "/", input.recursive === "true", input))),

  read: userProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/fs/read",
        summary: "Read a text file",
        tags,
        errorStatuses: [403, 404, 413],
        entityTagAt: ["data", "contentHash"],
      },
    })
    .input(pathInput)
    .output(dataOf(readOutput))
    .query(({ ctx, input }) => asData(ctx.services.vault.read(input.path))),

  write: userProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/fs/write",
        summary: "Write a text file; missing directories are made",
        tags,
        errorStatuses: [403, 409, 412, 413, 507],
        bodyLimit: "content",
        entityTagAt: ["data", "contentHash"],
        takesIfMatch: "expectedHash",
        takesIfNoneMatch: true,
      },
    })
    .input(writeInput)
    .output(dataOf(writeOutput))
    .mutation(({ ctx, input }) => asData(ctx.services.vault.write(input, ctx.principal.userId))),

  mkdir: userProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/fs/mkdir",
        summary: "Make a directory and those above it",
        tags,
        errorStatuses: [403, 409, 507],
      },
    })
    .input(pathInput)
    .output(dataOf(createdOutput))
    .mutation(({ ctx, input }) => asData(ctx.services.vault.createDirectory(input.path))),

  rename: userProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/fs/rename",
        summary: "Rename a file or directory, also to another directory",
        tags,
        errorStatuses: [403, 404, 409],
      },
    })
    .input(renameInput)
    .output(dataOf(renamedOutput))
    .mutation(({ ctx, input }) =>
      asData(ctx.services.vault.rename(input.oldPath, input.newPath, ctx.principal.userId)),
    ),

  delete: userProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/fs/delete",
        summary: "Move a file or a whole directory to the trash",
        tags,
        errorStatuses: [403, 404, 412],
        takesIfMatch: "expectedHash",
      },
    })
    .input(deleteInput)
    .output(dataOf(deletedOutput))
    .mutation(({ ctx, input }) => asData(ctx.services.vault.delete(input.path, input.expectedHash))),

  move: userProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/fs/move",
        summary: "Move a file or directory into another directory",
        tags,
        errorStatuses: [403, 404, 409],
      },
    })
    .input(moveInput)
    .output(dataOf(movedOutput))
    .mutation(({ ctx, input }) =>
      asData(ctx.services.vault.move(input.sourcePath, input.destinationPath, ctx.principal.userId)),
    ),
});
