import * as z from "zod";

const PROTOCOLS = ["http/protobuf", "http/json"] as const;
const protocol = z.enum(PROTOCOLS, "expected http/protobuf or http/json; OTLP over gRPC is not supported");
const endpoint = z.url({ protocol: /^https?$/, error: "expected an http or https URL" });

/** The variables of OpenTelemetry that are checked at the start. Its library reads these and the others itself. */
const variables = z.object({
  OTEL_SDK_DISABLED: z
    .string()
    .optional()
    .transform((text) => text?.toLowerCase() === "true"),
  OTEL_TRACES_EXPORTER: z.enum(["otlp", "none"], "expected otlp or none").default("otlp"),
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol.optional(),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol.optional(),
  OTEL_TRACES_SAMPLER: z
    .enum(
      [
        "always_on",
        "always_off",
        "traceidratio",
        "parentbased_always_on",
        "parentbased_always_off",
        "parentbased_traceidratio",
      ],
      "expected always_on, always_off or traceidratio, or one of these after parentbased_",
    )
    .optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number("expected a number").min(0).max(1).optional(),
});

/** Where traces are sent, and the variables by which the library is configured further. */
export interface TracingConfig {
  readonly protocol: (typeof PROTOCOLS)[number];
  readonly environment: Readonly<Record<string, string>>;
}

/** Reads the variables of OpenTelemetry. There are no traces unless an endpoint is given. */
export function readTracing(environment: Readonly<Record<string, string | undefined>>): {
  readonly tracing: TracingConfig | null;
  readonly problems: readonly string[];
} {
  const given = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      name.startsWith("OTEL_") && value !== undefined && value !== "" ? [[name, value]] : [],
    ),
  );
  const { data: env, error } = variables.safeParse(given);
  if (env === undefined) {
    const problems = error.issues.map(({ path, message }) => `${path.join("")}: ${message}`);
    return { tracing: null, problems };
  }
  const target = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const isOff = env.OTEL_SDK_DISABLED || env.OTEL_TRACES_EXPORTER === "none" || target === undefined;
  if (isOff) return { tracing: null, problems: [] };
  const chosen = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL ?? "http/protobuf";
  return { tracing: { protocol: chosen, environment: given }, problems: [] };
}
