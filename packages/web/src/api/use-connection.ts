import { useSyncExternalStore } from "react";
import { getConnectionState, subscribeToConnection, type ConnectionState } from "./connection.ts";

export function useConnection(): ConnectionState {
  return useSyncExternalStore(subscribeToConnection, getConnectionState);
}
