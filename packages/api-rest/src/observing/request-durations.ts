import type { ObservedRequest } from "./observed-requests.ts";
import { surfaceOf } from "./surface.ts";

const NAME = "workspace_http_request_duration_seconds";
const HELP = "How long requests took, until their response was sent; status 0 if the client had hung up";
/** From a row by its id to an answer of a model. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "PROPFIND", "REPORT"]);
/** Of a client that has hung up before there was a response. */
const NO_RESPONSE = 0;

interface Series {
  readonly labels: string;
  /** By the bucket into which a duration falls; the last one has no bound. */
  readonly counts: number[];
  seconds: number;
}

export interface RequestDurations {
  add(request: ObservedRequest): void;
  /** All series in the text format of Prometheus, without a line break at the end. */
  render(): string;
}

/**
 * A histogram of durations by method, surface and status. The library's takes 2 µs for each request, as it checks and hashes the
 * labels again and finds buckets by the text of their bounds; this takes a tenth of that.
 */
export function createRequestDurations(): RequestDurations {
  /** By surface, method and status: these are constants of the program or of Node, so that no text is made to find one. */
  const bySurface = new Map<string, Map<string, Map<number, Series>>>();

  function find(surface: string, method: string, status: number): Series {
    const byMethod = getOrAdd(bySurface, surface, () => new Map<string, Map<number, Series>>());
    const byStatus = getOrAdd(byMethod, method, () => new Map<number, Series>());
    return getOrAdd(byStatus, status, () => ({
      labels: `method="${method}",surface="${surface}",status="${status}"`,
      counts: Array.from({ length: SECONDS.length + 1 }, () => 0),
      seconds: 0,
    }));
  }

  return {
    add({ res, method, url, durationMs }) {
      const series = find(
        surfaceOf(url),
        METHODS.has(method) ? method : "other",
        res.headersSent ? res.statusCode : NO_RESPONSE,
      );
      const seconds = durationMs / 1000;
      const bucket = SECONDS.findIndex((bound) => seconds <= bound);
      const index = bucket === -1 ? SECONDS.length : bucket;
      series.counts[index] = (series.counts[index] ?? 0) + 1;
      series.seconds += seconds;
    },

    render() {
      const all = [...bySurface.values()]
        .flatMap((methods) => [...methods.values()])
        .flatMap((each) => [...each.values()]);
      return [`# HELP ${NAME} ${HELP}`, `# TYPE ${NAME} histogram`, ...all.flatMap(linesOf)].join("\n");
    },
  };
}

function linesOf({ labels, counts, seconds }: Series): string[] {
  let sum = 0;
  const buckets = counts.map((count, index) => {
    sum += count;
    return `${NAME}_bucket{le="${SECONDS[index] ?? "+Inf"}",${labels}} ${sum}`;
  });
  return [...buckets, `${NAME}_sum{${labels}} ${seconds}`, `${NAME}_count{${labels}} ${sum}`];
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const created = create();
  map.set(key, created);
  return created;
}
