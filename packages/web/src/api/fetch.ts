import { reportAnswer, reportNoAnswer } from "./connection.ts";

type Listener = () => void;
const sessionLostListeners = new Set<Listener>();

/** Calls back when the server says that nobody is signed in any more. Answers how to stop. */
export function onSessionLost(listener: Listener): () => void {
  sessionLostListeners.add(listener);
  return () => sessionLostListeners.delete(listener);
}

/** The one way to the server: `fetch` that also keeps the state of the connection and of the session. */
export async function apiFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init).catch((error: unknown) => {
    if (init?.signal?.aborted !== true) reportNoAnswer();
    throw error;
  });
  reportAnswer();
  if (response.status === 401 && !isSignIn(input)) sessionLostListeners.forEach((listener) => listener());
  return response;
}

/** A refused sign-in says that the password is wrong, not that a session ended. */
function isSignIn(input: RequestInfo | URL): boolean {
  return typeof input === "string" && input.startsWith("/api/auth/");
}
