import "./styles/app.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./api/query-client.ts";
import { followTheme } from "./browser/theme.ts";
import { followSession } from "./features/auth/session-end.ts";
import { router } from "./routes/router.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element with the id root.");

followTheme();
followSession(router);

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
