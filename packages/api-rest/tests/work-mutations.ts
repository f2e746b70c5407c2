import type { Caller, Mutation } from "./mutation.ts";

/** The routes by which people and programs change tasks and projects. */
export function workMutations({ call, make, made }: Omit<Caller, "send">): readonly Mutation[] {
  return [
    ["POST /tasks", make("task", "/api/tasks", { title: "Water the plants" }), "task create"],
    ["PUT /tasks/{id}", () => call("PUT", `/api/tasks/${made["task"]}`, { priority: 1 }), "task edit"],
    [
      "POST /tasks/{id}/move",
      async () => {
        const other = (await call("POST", "/api/tasks", { title: "Feed the fish" })).id;
        await call("POST", `/api/tasks/${made["task"]}/move`, { afterId: other });
      },
      "task edit",
    ],
    ...partMutations({ call, made }),
    ["DELETE /tasks/{id}", () => call("DELETE", `/api/tasks/${made["task"]}`), "task delete"],
    ["POST /tasks/{id}/restore", () => call("POST", `/api/tasks/${made["task"]}/restore`), "task restore"],
    [
      "POST /tasks/claim",
      async () => (made["claim"] = (await call("POST", "/api/tasks/claim", { id: made["task"] })).claimId),
      "task edit",
    ],
    [
      "POST /tasks/{id}/renew",
      () => call("POST", `/api/tasks/${made["task"]}/renew`, { claimId: made["claim"] }),
      "task edit",
    ],
    ["POST /tasks/{id}/release", () => call("POST", `/api/tasks/${made["task"]}/release`, {}), "task edit"],
    [
      "POST /tasks/{id}/hand-over",
      () => call("POST", `/api/tasks/${made["task"]}/hand-over`, { to: null, note: "Mind the roses." }),
      "task edit",
    ],
    [
      "PUT /tasks/{id}/blockers",
      () => call("PUT", `/api/tasks/${made["task"]}/blockers`, { blockedBy: [] }),
      "task edit",
    ],
    [
      "POST /tasks/{id}/changes/{changeId}/undo",
      async () => {
        const { id } = (await call("GET", `/api/tasks/${made["task"]}/activity?only=changes`)).find(
          ({ changes }: any) => changes?.[0].field === "priority",
        );
        await call("POST", `/api/tasks/${made["task"]}/changes/${id}/undo`);
      },
      "task edit",
    ],
    [
      "POST /tasks/{id}/comments",
      async () => (made["comment"] = (await call("POST", `/api/tasks/${made["task"]}/comments`, { text: "Done?" })).id),
      "task edit",
    ],
    [
      "PUT /tasks/{id}/comments/{commentId}",
      () => call("PUT", `/api/tasks/${made["task"]}/comments/${made["comment"]}`, { text: "Done." }),
      "task edit",
    ],
    [
      "DELETE /tasks/{id}/comments/{commentId}",
      () => call("DELETE", `/api/tasks/${made["task"]}/comments/${made["comment"]}`),
      "task edit",
    ],
    ...timeMutations({ call, made }),
    [
      "POST /tasks/import",
      () => call("POST", "/api/tasks/import", { format: "markdown", content: "- [ ] Feed the fish", dryRun: false }),
      "task create",
    ],
    ["POST /task-views", make("view", "/api/task-views", { name: "Urgent" }), "view create"],
    ["PUT /task-views/{id}", () => call("PUT", `/api/task-views/${made["view"]}`, { name: "Now" }), "view edit"],
    ["PUT /task-views/order", () => call("PUT", "/api/task-views/order", { ids: [made["view"]] }), "view edit"],
    ["DELETE /task-views/{id}", () => call("DELETE", `/api/task-views/${made["view"]}`), "view delete"],
    ["POST /task-views/{id}/restore", () => call("POST", `/api/task-views/${made["view"]}/restore`), "view restore"],
    ["POST /projects", make("project", "/api/projects", { name: "Pond", color: "#3b82f6" }), "project create"],
    ["PUT /projects/{id}", () => call("PUT", `/api/projects/${made["project"]}`, { name: "Lake" }), "project edit"],
    ["DELETE /projects/{id}", () => call("DELETE", `/api/projects/${made["project"]}`), "project delete"],
  ];
}

/** When tasks are due again, and when people are reminded of them. */
function timeMutations({ call, made }: Pick<Caller, "call" | "made">): readonly Mutation[] {
  return [
    [
      "POST /tasks/{id}/reminders",
      async () => {
        const at = new Date(Date.now() + 60_000).toISOString();
        const [reminder] = await call("POST", `/api/tasks/${made["task"]}/reminders`, { at });
        made["reminder"] = reminder.id;
      },
      "task edit",
    ],
    [
      "DELETE /tasks/{id}/reminders/{reminderId}",
      () => call("DELETE", `/api/tasks/${made["task"]}/reminders/${made["reminder"]}`),
      "task edit",
    ],
    [
      "POST /tasks/reminders/seen",
      async () => {
        const at = new Date(Date.now() + 500).toISOString();
        const [{ id }] = await call("POST", `/api/tasks/${made["task"]}/reminders`, { at });
        for (let seen = 0; seen === 0; await new Promise((resolve) => setTimeout(resolve, 200)))
          ({ seen } = await call("POST", "/api/tasks/reminders/seen", { ids: [id] }));
      },
      "task edit",
    ],
    [
      "POST /tasks/{id}/skip",
      async () => {
        const { id } = await call("POST", "/api/tasks", { title: "Feed the cat", repeat: "FREQ=DAILY" });
        await call("POST", `/api/tasks/${id}/skip`);
      },
      "task edit",
    ],
  ];
}

/** What tasks consist of, and what they refer to. */
function partMutations({ call, made }: Pick<Caller, "call" | "made">): readonly Mutation[] {
  return [
    [
      "POST /tasks/{id}/checklist",
      async () => {
        const body = { add: ["Fill the can"] };
        made["item"] = (await call("POST", `/api/tasks/${made["task"]}/checklist`, body))[0].id;
      },
      "task edit",
    ],
    [
      "POST /tasks/{id}/checklist/convert",
      async () => {
        // Done, so that the task can be claimed.
        const set = [{ id: made["item"], isDone: true }];
        await call("POST", `/api/tasks/${made["task"]}/checklist`, { set });
        await call("POST", `/api/tasks/${made["task"]}/checklist/convert`, { itemIds: [made["item"]] });
      },
      "task edit",
    ],
    [
      "POST /tasks/{id}/links",
      async () => {
        const id = (await call("POST", "/api/tasks", { title: "Buy a can" })).id;
        await call("POST", `/api/tasks/${made["task"]}/links`, { add: [{ kind: "relatesTo", id }] });
      },
      "task edit",
    ],
  ];
}
