import * as z from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";

/** The only route of `/api/v1` that returns a file. */
export const skillPath: ZodOpenApiPathsObject = {
  "/skill": {
    get: {
      operationId: "skill",
      summary: "Download the Python script for assistants and the command line",
      tags: ["Skill"],
      security: [{ key: [] }],
      responses: {
        200: { description: "The script, as an attachment", content: { "text/x-python": { schema: z.string() } } },
        401: {
          description: "Unauthorized",
          content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
        },
      },
    },
  },
};
