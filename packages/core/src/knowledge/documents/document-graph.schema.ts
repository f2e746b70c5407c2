import * as z from "zod";

const MAX_NODES = 300;

export const graphInput = z.object({
  id: z.string(),
  depth: z.number().int().min(1).max(3).default(1).meta({ description: "Over how many links" }),
  limit: z.number().int().min(1).max(MAX_NODES).default(MAX_NODES).meta({ description: "How many documents at most" }),
});
export type GraphInput = z.infer<typeof graphInput>;

export const documentGraphSchema = z
  .object({
    nodes: z
      .array(
        z.object({
          id: z.string(),
          title: z.string(),
          path: z.string(),
          distance: z
            .number()
            .int()
            .meta({ description: "Over how many links it is reached; 0 for the document itself" }),
        }),
      )
      .meta({ description: "The nearest first" }),
    edges: z.array(z.object({ from: z.string(), to: z.string() })).meta({ description: "The links between them" }),
    isCut: z.boolean().meta({ description: "Whether there is more than is shown" }),
  })
  .meta({ id: "DocumentGraph" });
export type DocumentGraph = z.infer<typeof documentGraphSchema>;
