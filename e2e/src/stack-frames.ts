const FRAMES = new Map<string, string>();

/**
 * Has each place in a stack mapped to its source once. Playwright notes the stack of each of its calls, and Vitest maps all frames
 * whenever a stack is read, which took a tenth of the processor time of the tests' own processes.
 */
export function mapFramesOnce(): void {
  const { prepareStackTrace: map } = Error;
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- It is undefined unless somebody maps, as in benchmarks.
  if (map === undefined) return;
  Error.prepareStackTrace = (error, sites) => {
    const title = String(map(error, []));
    const frames = sites.map((site) => {
      // oxlint-disable-next-line typescript/no-base-to-string -- V8's own text, with the function and the place.
      const place = String(site);
      const known = FRAMES.get(place);
      if (known !== undefined) return known;
      const frame = String(map(error, [site])).slice(title.length);
      FRAMES.set(place, frame);
      return frame;
    });
    return title + frames.join("");
  };
}
