import { signedInProcedure, userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, dataOf } from "../../platform/procedures/response.ts";
import {
  modelSettingsSchema,
  modelTestSchema,
  setModelSettingsInput,
  testModelInput,
} from "./model-settings.schema.ts";
import type { ModelSettingsService } from "./model-settings.service.ts";
import type { ModelTestService } from "./model-test.service.ts";

interface ModelSettingsServices {
  readonly modelSettings: ModelSettingsService;
  readonly modelTests: ModelTestService;
}

const personProcedure = signedInProcedure<ModelSettingsServices>().tagged("Settings");

export const modelSettingsRouter = {
  get: userProcedure<ModelSettingsServices>()
    .tagged("Settings")
    .rest("GET /settings/models", "Get which models are used, and what they may cost")
    .output(dataOf(modelSettingsSchema))
    .query(({ ctx }) => asData(ctx.services.modelSettings.get())),

  set: personProcedure
    .rest("PUT /settings/models", "Replace which models are used, and what they may cost", {
      errorStatuses: [403, 412],
    })
    .input(setModelSettingsInput)
    .output(dataOf(modelSettingsSchema))
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.modelSettings.set(input, ctx.principal.userId))),

  test: personProcedure
    .rest("POST /settings/models/test", "Try out a model, or list those of an endpoint", { errorStatuses: [403] })
    .input(testModelInput)
    .output(dataOf(modelTestSchema))
    .mutation("reaches_outside", ({ ctx, input }) => asData(ctx.services.modelTests.test(input))),
};
