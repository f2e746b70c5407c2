import { useEffect } from "react";
import { followActivity } from "./activity.ts";
import { followResourceChanges } from "./resource-changes.ts";
import { keepConnected } from "./socket.ts";

/** Keeps the page connected and in step with the server while it is there. Used once, by the frame around all pages. */
export function useRealtime(): void {
  useEffect(() => {
    const stopFollowing = [followResourceChanges(), followActivity()];
    const disconnect = keepConnected();
    return () => {
      disconnect();
      stopFollowing.forEach((stop) => stop());
    };
  }, []);
}
