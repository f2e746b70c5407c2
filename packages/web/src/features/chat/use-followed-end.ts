import { useCallback, useEffect, useRef, useState, type RefObject, type UIEvent } from "react";

/** Within this distance of the end, a view counts as being there. */
const END_PX = 120;

interface FollowedEnd {
  /** For the element that scrolls; its first child is the content. */
  readonly ref: RefObject<HTMLDivElement | null>;
  /** Whether there is content out of view, after what is shown. */
  readonly isBehind: boolean;
  readonly onScroll: (event: UIEvent<HTMLElement>) => void;
  /** Scrolls to the end, and follows it from then on. */
  follow(): void;
}

/**
 * Keeps the end of growing content in view, until the user scrolls away from it and from when they return to it. `ownEntry`
 * identifies the latest entry of the user, who wants to see it wherever they were, and `shownId` the message to begin with.
 */
export function useFollowedEnd(ownEntry: string | undefined, shownId: string | undefined): FollowedEnd {
  const ref = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  useEffect(() => {
    const shown = [...(ref.current?.querySelectorAll<HTMLElement>("[data-message]") ?? [])].find(
      (element) => element.dataset["message"] === shownId,
    );
    if (shownId === undefined || shown === undefined) return;
    isFollowing.current = false;
    shown.scrollIntoView({ block: "center" });
  }, [shownId]);
  const lastTop = useRef(0);
  const [isBehind, setIsBehind] = useState(false);
  const follow = useCallback(() => {
    isFollowing.current = true;
    ref.current?.scrollTo({ top: ref.current.scrollHeight });
  }, []);
  // The height changes when text arrives, when it is rendered as Markdown, and when images load.
  useEffect(() => {
    const view = ref.current;
    if (view?.firstElementChild == null) return undefined;
    const observer = new ResizeObserver(() => {
      if (isFollowing.current) view.scrollTo({ top: view.scrollHeight });
    });
    observer.observe(view);
    observer.observe(view.firstElementChild);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (ownEntry !== undefined) follow();
  }, [ownEntry, follow]);
  const onScroll = ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }: UIEvent<HTMLElement>) => {
    const isAtEnd = scrollHeight - scrollTop - clientHeight < END_PX;
    // Content that grows also increases the distance to the end, but only the user scrolls up.
    if (isAtEnd) isFollowing.current = true;
    else if (scrollTop < lastTop.current) isFollowing.current = false;
    lastTop.current = scrollTop;
    setIsBehind(!isAtEnd && !isFollowing.current);
  };
  return { ref, isBehind, onScroll, follow };
}
