import { clientPart } from "../../client/client-part.ts";

/** Of the query for the news. */
export const NEWS_KEY = ["news"];
/** A change is shown after this time, with those that follow it closely. */
const FIRST_REFETCH_MS = 300;
/** An assistant at work changes something every second: it is not read more often than this. */
const REFETCH_EVERY_MS = 10_000;

/** Keeps the news current while anything changes. */
export const newsUpdates = clientPart((client) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastAt = 0;
  const refetch = () => {
    timer = undefined;
    lastAt = Date.now();
    void client.queries.invalidateQueries({ queryKey: NEWS_KEY });
  };
  return {
    /** Starts following the changes. Returns a function that stops it. */
    follow(): () => void {
      const stop = client.socket.onFrame((frame) => {
        if (frame.type !== "resource_change") return;
        timer ??= setTimeout(refetch, Math.max(FIRST_REFETCH_MS, lastAt + REFETCH_EVERY_MS - Date.now()));
      });
      return () => {
        stop();
        clearTimeout(timer);
        timer = undefined;
      };
    },
  };
});
