import "./styles/app.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { followTheme } from "./browser/theme.ts";
import { createClient } from "./client/create-client.ts";
import { ClientProvider } from "./client/use-client.ts";
import { followSession } from "./features/auth/user-session.ts";
import { requestFirstPage } from "./routes/first-page.ts";
import { createAppRouter } from "./routes/router.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element with the id root.");

const client = createClient();
const router = createAppRouter(client);
followTheme();
followSession(client, router);
const requested = requestFirstPage(client, router);

const render = () => {
  const container = createRoot(root);
  // As a transition, since React renders those in slices, between which the browser can do what else is waiting.
  startTransition(() =>
    container.render(
      <StrictMode>
        <ClientProvider value={client}>
          <QueryClientProvider client={client.queries}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </ClientProvider>
      </StrictMode>,
    ),
  );
};
// Until then, the frame in index.html is shown.
void Promise.allSettled([router.load(), requested]).then(render);
