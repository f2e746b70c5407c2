import { useEffect } from "react";
import { useClient } from "../client/use-client.ts";
import { newsUpdates } from "../features/home/news-updates.ts";
import { activity } from "./activity.ts";

/** Keeps the page connected to and in sync with the server while mounted. Used once, by the frame around all pages. */
export function useRealtime(): void {
  const client = useClient();
  useEffect(() => {
    const stopFollowing = [client.changes.follow(), activity(client).follow(), newsUpdates(client).follow()];
    const disconnect = client.socket.stayConnected();
    return () => {
      disconnect();
      stopFollowing.forEach((stop) => stop());
    };
  }, [client]);
}
