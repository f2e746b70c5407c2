import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { tracingChannel } from "node:diagnostics_channel";
import type { ServerResponse } from "node:http";
import {
  defaultTextMapGetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type Tracer,
} from "@opentelemetry/api";
import { setGlobalErrorHandler, W3CTraceContextPropagator } from "@opentelemetry/core";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from "@opentelemetry/sdk-trace-base";
import { TRACED_WORK_CHANNEL, type TracedWork } from "@workspace/db";
import type { RequestListener } from "../observed-requests.ts";
import { surfaceOf } from "../surface.ts";
import { routeOf } from "./request-route.ts";
import type { TracingConfig } from "./tracing-config.ts";

const NAME = "workspace";
/** Requested all the time by programs that watch the service; traces of them would hide all others. */
const UNTRACED: ReadonlySet<string> = new Set(["health", "metrics", "assets"]);
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const KINDS = { client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;
/** How long a stop waits for the last spans to be sent. */
const CLOSE_MS = 2_000;
/** So often at most a failure to send spans is logged. */
const REPORT_EVERY_MS = 60_000;

/** The span of which new ones become children. */
interface Scope {
  readonly span: Span;
  readonly context: Context;
  /** False after the end: what goes on then, such as a timer that was set, is not part of it. */
  isOpen: boolean;
}

type AnnouncedWork = TracedWork & { readonly error?: unknown };

export interface TracingOptions {
  readonly config: TracingConfig;
  /** The version of the service. */
  readonly version: string;
  /** Called at most once a minute with why spans could not be sent. */
  readonly reportError: (reason: string) => void;
}

export interface Tracing {
  /** Returns what serves requests, each with a span, within a trace of the caller if it sent one. */
  readonly observe: (serve: RequestListener) => RequestListener;
  /** Sends the last spans, for up to two seconds. */
  close(): Promise<void>;
}

/**
 * Sends traces by OTLP: requests, and the work that is announced on a channel (see `traced`). Nothing is registered globally, so
 * that no library adds spans of its own, with values that nobody here has looked at.
 */
export async function startTracing({ config, version, reportError }: TracingOptions): Promise<Tracing> {
  // oxlint-disable-next-line node/no-process-env -- The library reads them from there; some may come from the file `.env`.
  Object.assign(process.env, config.environment);
  let reportedAt = Number.NEGATIVE_INFINITY;
  setGlobalErrorHandler((error) => {
    if (performance.now() - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = performance.now();
    reportError(error instanceof Error ? error.message : "unknown");
  });
  const service = { "service.name": NAME, "service.version": version, "service.instance.id": randomUUID() };
  const resource = defaultResource()
    .merge(resourceFromAttributes(service))
    .merge(detectResources({ detectors: [envDetector] }));
  const processor = new BatchSpanProcessor(await createExporter(config.protocol));
  const provider = new BasicTracerProvider({ resource, spanProcessors: [processor] });
  const tracer = provider.getTracer(NAME, version);
  const scopes = new AsyncLocalStorage<Scope | undefined>();
  const stopListening = traceWork(tracer, scopes);
  return {
    observe: (serve) => traceRequests(serve, tracer, scopes),
    async close() {
      stopListening();
      const deadline = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref());
      const ended = provider.shutdown().catch((error: unknown) => reportError(String(error)));
      await Promise.race([ended, deadline]);
    },
  };
}

async function createExporter(protocol: TracingConfig["protocol"]): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    protocol === "http/json"
      ? await import("@opentelemetry/exporter-trace-otlp-http")
      : await import("@opentelemetry/exporter-trace-otlp-proto");
  return new OTLPTraceExporter();
}

function traceRequests(
  serve: RequestListener,
  tracer: Tracer,
  scopes: AsyncLocalStorage<Scope | undefined>,
): RequestListener {
  const propagator = new W3CTraceContextPropagator();
  return (req, res) => {
    const { url = "" } = req;
    if (UNTRACED.has(surfaceOf(url))) return serve(req, res);
    const method = req.method !== undefined && METHODS.has(req.method) ? req.method : "_OTHER";
    const parent = propagator.extract(ROOT_CONTEXT, req.headers, defaultTextMapGetter);
    const attributes = { "http.request.method": method };
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
    const scope = { span, context: trace.setSpan(parent, span), isOpen: true };
    res.on("close", () => {
      scope.isOpen = false;
      endRequest(span, { method, url, res });
    });
    scopes.run(scope, () => serve(req, res));
  };
}

function endRequest(
  span: Span,
  { method, url, res }: { readonly method: string; readonly url: string; readonly res: ServerResponse },
): void {
  if (!span.isRecording()) return;
  const route = routeOf(res) ?? routeOfSurface(surfaceOf(url));
  span.updateName(route === undefined ? method : `${method} ${route}`);
  if (route !== undefined) span.setAttribute("http.route", route);
  const id = res.getHeader("X-Request-Id");
  if (typeof id === "string") span.setAttribute("http.response.header.x-request-id", [id]);
  if (!res.headersSent) markFailed(span, "client_disconnected");
  else {
    span.setAttribute("http.response.status_code", res.statusCode);
    if (res.statusCode >= 500) markFailed(span, String(res.statusCode));
  }
  span.end();
}

/** Of surfaces with one route, or whose routes are not known here. */
function routeOfSurface(surface: string): string | undefined {
  if (surface === "mcp") return "/mcp";
  if (surface === "trpc") return "/api/trpc/{procedures}";
  return surface === "caldav" ? "/caldav/{path}" : undefined;
}

/** Gives announced work spans; returns what ends that. */
function traceWork(tracer: Tracer, scopes: AsyncLocalStorage<Scope | undefined>): () => void {
  const channel = tracingChannel<unknown, AnnouncedWork>(TRACED_WORK_CHANNEL);
  const begun = new WeakMap<object, Scope>();

  channel.start.bindStore(scopes, (work) => {
    const current = scopes.getStore();
    const parent = current?.isOpen === true ? current : undefined;
    // What is not recorded, because it was not sampled, has no parts that are.
    const isSkipped = parent === undefined ? !work.beginsTrace : !parent.span.isRecording();
    if (isSkipped) return current;
    const context = parent?.context ?? ROOT_CONTEXT;
    const span = tracer.startSpan(work.name, { kind: KINDS[work.kind] }, context);
    const scope = { span, context: trace.setSpan(context, span), isOpen: true };
    begun.set(work, scope);
    return scope;
  });
  const end = (work: AnnouncedWork): void => {
    const scope = begun.get(work);
    if (scope === undefined) return;
    scope.isOpen = false;
    const { span } = scope;
    for (const [name, value] of Object.entries(work.attributes)) {
      span.setAttribute(name, typeof value === "object" ? [...value] : value);
    }
    const failure = work.error === undefined ? work.attributes["error.type"] : typeOf(work.error);
    if (typeof failure === "string") markFailed(span, failure);
    span.end();
  };
  const subscribers = { start() {}, end() {}, asyncStart() {}, asyncEnd: end, error() {} };
  channel.subscribe(subscribers);
  return () => {
    channel.unsubscribe(subscribers);
    channel.start.unbindStore(scopes);
  };
}

/** Without a message, which may contain content. */
function markFailed(span: Span, type: string): void {
  span.setAttribute("error.type", type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The code of PostgreSQL or of the system, or the name of the class. */
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return "_OTHER";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
