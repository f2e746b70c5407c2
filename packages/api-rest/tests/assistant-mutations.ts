import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { Caller, Mutation } from "./mutation.ts";

const HOOK = { claim: randomUUID(), moment: "call", takesMessages: true, fromSubagent: false };

/** The routes by which a person decides about what assistants do. */
export function assistantMutations({ call, send, make, made }: Caller): readonly Mutation[] {
  /** Asks about a call of an assistant like a hook that does not wait, and remembers the id. */
  async function ask(name: string): Promise<void> {
    const id = randomUUID();
    const body = { id, digest: "0".repeat(64), harness: "codex", project: "/pond", folder: "/pond", toolName: "Bash" };
    const words = { call: "deploy", effect: "This deploys.", timeoutMs: 60_000 };
    void send("/api/hooks/approvals", { ...body, ...words }).catch(() => undefined);
    const isOpen = async () => (await call("GET", "/api/hooks/approvals?open=true")).some((row: any) => row.id === id);
    await expect.poll(isOpen).toBe(true);
    made[name] = id;
  }

  return [
    ["POST /hooks/approvals", () => ask("approval"), "approval create"],
    [
      "POST /hooks/approvals/{id}/decision",
      () => call("POST", `/api/hooks/approvals/${made["approval"]}/decision`, { decision: "allowed_here" }),
      "approval edit",
    ],
    [
      "POST /hooks/approvals/{id}/withdraw",
      async () => {
        await ask("late");
        return call("POST", `/api/hooks/approvals/${made["late"]}/withdraw`);
      },
      "approval edit",
    ],
    [
      "POST /hooks/sessions/{sessionId}/wait",
      () =>
        call("POST", "/api/hooks/sessions/s/wait", {
          harness: "codex",
          project: "/pond",
          reason: "input",
          text: "Next?",
        }),
      "approval edit",
    ],
    [
      "DELETE /hooks/allowances/{id}",
      async () => {
        const [allowance] = await call("GET", "/api/hooks/allowances");
        return call("DELETE", `/api/hooks/allowances/${allowance.id}`);
      },
      "approval edit",
    ],
    [
      "PUT /hooks/approval-settings",
      () => call("PUT", "/api/hooks/approval-settings", { waitSeconds: 0, projects: [] }),
      "approval edit",
    ],
    [
      "POST /hooks/sessions/{sessionId}/instructions",
      async () => {
        await call("POST", "/api/hooks/events", { eventType: "SessionStart", sessionId: "s" });
        return make("pause", "/api/hooks/sessions/s/instructions", { kind: "pause" })();
      },
      "approval create",
    ],
    [
      "POST /hooks/sessions/{sessionId}/steering",
      () => call("POST", "/api/hooks/sessions/s/steering", { ...HOOK, waitMs: 0 }),
      "approval edit",
    ],
    [
      "POST /hooks/instructions/{id}/withdraw",
      () => call("POST", `/api/hooks/instructions/${made["pause"]}/withdraw`),
      "approval edit",
    ],
    [
      "POST /hooks/sessions/{sessionId}/steering/delivered",
      async () => {
        await make("message", "/api/hooks/sessions/s/instructions", { kind: "message", text: "Go on." })();
        return call("POST", "/api/hooks/sessions/s/steering/delivered", { ids: [made["message"]] });
      },
      "approval edit",
    ],
  ];
}
