import { useCallback, useRef, useState, type KeyboardEvent } from "react";
import { followActiveOption } from "../../components/follow-active-option.ts";

const MOVING_KEYS = new Set(["ArrowDown", "ArrowUp", "Home", "End"]);

/**
 * Which result of a cmdk list is highlighted. Results arrive one after the other; until the user moves the highlight, it
 * stays on the first one, whichever that is at the time. `props` go on the root; call `restart` when the query changes.
 */
export function useHighlight() {
  const [value, setValue] = useState("");
  const hasMoved = useRef(false);

  const ref = useCallback((root: HTMLElement | null) => {
    if (root === null) return undefined;
    const stopFollowing = followActiveOption(root);
    const highlightFirst = () => {
      if (hasMoved.current) return;
      setValue(root.querySelector("[cmdk-item]")?.getAttribute("data-value") ?? "");
      root.querySelector("[cmdk-list]")?.scrollTo({ top: 0 });
    };
    const observer = new MutationObserver(highlightFirst);
    observer.observe(root, { subtree: true, childList: true });
    highlightFirst();
    return () => {
      observer.disconnect();
      stopFollowing?.();
    };
  }, []);

  return {
    props: {
      ref,
      value,
      onValueChange: setValue,
      onKeyDown: (event: KeyboardEvent) => {
        if (MOVING_KEYS.has(event.key)) hasMoved.current = true;
      },
      onPointerMove: () => {
        hasMoved.current = true;
      },
    },
    restart: () => {
      hasMoved.current = false;
    },
  };
}
