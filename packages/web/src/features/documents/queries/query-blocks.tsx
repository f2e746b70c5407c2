import "./queries.css";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState, type RefObject } from "react";
import { createPortal } from "react-dom";
import { toRequestError } from "../../../api/request-error.ts";
import { todayOf } from "../../../dates/day.ts";
import { useClient } from "../../../client/use-client.ts";
import { usePlaces } from "../reading/use-places.ts";
import { queryPlacesIn, sourceOf } from "./query-element.ts";
import { QueryProblemView } from "./query-problem.tsx";
import { QueryResultView } from "./query-result.tsx";
import { problemOf, queryResultOptions } from "./run-queries.ts";

/** Further ones in a note are shown as their source. */
const MAX_BLOCKS = 50;
/** What is this far from being in sight is carried out. */
const MARGIN = "400px";

/** Carries out the queries in a text, and shows their results in their places. */
export default function QueryBlocks({ containerRef }: { readonly containerRef: RefObject<HTMLElement | null> }) {
  const places = usePlaces(containerRef, findQueries);
  return places.map((place, index) => createPortal(<QueryBlock place={place} />, place, `${index} ${sourceOf(place)}`));
}

const findQueries = (container: HTMLElement) => queryPlacesIn(container, MAX_BLOCKS);

function QueryBlock({ place }: { readonly place: HTMLElement }) {
  return <QueryView source={sourceOf(place)} isSeen={useIsSeen(place)} />;
}

/** What a query finds, or what is wrong with it. */
export function QueryView({ source, isSeen }: { readonly source: string; readonly isSeen: boolean }) {
  const problem = problemOf(source);
  return (
    <section aria-label="Query" className="query-result" contentEditable={false}>
      {problem === null ? (
        <LiveResult source={source} isSeen={isSeen} />
      ) : (
        <QueryProblemView source={source} problem={problem} />
      )}
    </section>
  );
}

function LiveResult({ source, isSeen }: { readonly source: string; readonly isSeen: boolean }) {
  const client = useClient();
  const { data, error, dataUpdatedAt } = useQuery({ ...queryResultOptions(client, source), enabled: isSeen });
  if (data !== undefined && data.problem !== null) return <QueryProblemView source={source} problem={data.problem} />;
  if (data !== undefined) return <QueryResultView result={data} today={todayOf(new Date(dataUpdatedAt))} />;
  return <p className="query-note">{error === null ? "Loading…" : toRequestError(error).message}</p>;
}

/** Whether the element is or was in sight. */
function useIsSeen(element: HTMLElement): boolean {
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        setIsSeen(true);
        observer.disconnect();
      },
      { rootMargin: MARGIN },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return isSeen;
}
