import type { Visitor } from "../../../e2e/src/visitor.ts";
import type { Note } from "./model.ts";

const PRIORITIES = ["Low", "Medium", "High"];
const STATUSES: Readonly<Record<string, string>> = { in_progress: "In progress", blocked: "Blocked" };
const PATIENCE = { timeout: 60_000 };
/** Lists draw only what is in the window. */
const WINDOW = { width: 1_440, height: 6_000 };

/** A person who changes and creates tasks, projects and notes in a browser, mostly without the server. */
export class OfflinePerson {
  readonly #visitor: Visitor;
  #page: Visitor["page"];
  /** How many changes besides those of texts the browser has to keep. */
  #changes = 0;

  constructor(visitor: Visitor) {
    this.#visitor = visitor;
    this.#page = visitor.page;
    visitor.context.setDefaultTimeout(PATIENCE.timeout);
  }

  /** Opens everything once, and goes offline as soon as the browser keeps it. */
  async leave(notes: readonly Note[]): Promise<void> {
    await this.openTasks();
    for (const note of notes) {
      await this.openNote(note);
      const key = JSON.stringify(["documents", "one", note.id]);
      while ((await this.#count("workspace-copy", "answers", key)) === 0) await this.#page.waitForTimeout(50);
    }
    const isKept = () => this.#page.evaluate(async () => (await caches.match("/offline-files.json")) !== undefined);
    while (!(await isKept())) await this.#page.waitForTimeout(200);
    // What was read last is stored a moment later.
    await this.#page.waitForTimeout(2_000);
    await this.#visitor.context.setOffline(true);
  }

  async openTasks(): Promise<void> {
    await this.#page.setViewportSize(WINDOW);
    await this.#page.goto("/tasks?view=list");
    await this.#page.locator("[data-task-id]").first().waitFor();
  }

  async openNote({ id }: Note): Promise<void> {
    await this.#page.goto(`/documents?doc=${id}`);
    await this.#page.locator(".cm-content").getByText("Mine:").waitFor();
  }

  async addTask(title: string): Promise<void> {
    await this.#page.getByRole("textbox", { name: "New task" }).fill(title);
    await this.#page.keyboard.press("Enter");
    await this.#task(title).waitFor();
    await this.#isKept();
  }

  async renameTask(from: string, to: string): Promise<void> {
    await this.#open(from);
    const title = this.#panel.getByLabel("Title", { exact: true });
    await title.fill(to);
    await title.blur();
    await this.#task(to).waitFor();
    await this.#closePanel();
    await this.#isKept();
  }

  async setPriority(title: string, priority: number): Promise<void> {
    await this.#choose(title, /^Priority/, PRIORITIES[priority - 1] ?? "");
  }

  async setStatus(title: string, status: string): Promise<void> {
    await this.#choose(title, /^Status/, STATUSES[status] ?? "");
  }

  async deleteTask(title: string): Promise<void> {
    await this.#open(title);
    await this.#panel.getByRole("button", { name: "Delete" }).click();
    await this.#task(title).waitFor({ state: "detached" });
    await this.#isKept();
  }

  async addItem(title: string, text: string): Promise<void> {
    await this.#open(title);
    await this.#panel.getByRole("textbox", { name: "Add an item, or paste several lines" }).fill(text);
    await this.#page.keyboard.press("Enter");
    await this.#panel.getByLabel(`Item: ${text}`).waitFor();
    await this.#isKept();
    await this.#closePanel();
  }

  async comment(title: string, text: string): Promise<void> {
    await this.#open(title);
    await this.#panel.getByRole("textbox", { name: "Write a comment" }).fill(text);
    await this.#panel.getByRole("button", { name: "Comment", exact: true }).click();
    await this.#panel.getByText(text).first().waitFor();
    await this.#isKept();
    await this.#closePanel();
  }

  /** Creates a project, and opens it: `addTask` then adds a task to it. */
  async createProject(name: string): Promise<void> {
    await this.#page.goto("/projects");
    await this.#page.getByRole("button", { name: "New project" }).first().click();
    await this.#page.getByLabel("Name").fill(name);
    await this.#page.getByRole("button", { name: "Create project" }).click();
    await this.#page.getByRole("heading", { name }).waitFor();
    await this.#isKept();
  }

  /** Creates a note and opens it. */
  async createNote(title: string): Promise<void> {
    await this.#page.goto("/documents");
    await this.#page.getByRole("button", { name: "New note" }).first().click();
    const name = this.#page.getByLabel("Note name");
    await name.waitFor();
    await name.fill(title);
    await name.press("Enter");
    await this.#file(title).waitFor();
    await this.#isKept();
  }

  async createFolder(title: string): Promise<void> {
    await this.#page.goto("/documents");
    await this.#page.getByRole("button", { name: "New folder" }).first().click();
    await this.#page.getByRole("textbox", { name: "Name of the new folder" }).fill(title);
    await this.#page.keyboard.press("Enter");
    await this.#file(title).waitFor();
    await this.#isKept();
  }

  /** Gives the open note a tag. */
  async addTag(tag: string): Promise<void> {
    const details = this.#page.getByRole("complementary", { name: "Document details" });
    await details.getByRole("button", { name: "No tags" }).click();
    await this.#page.getByRole("combobox", { name: "Change the tags" }).fill(tag);
    await this.#page.getByRole("option", { name: /Add the tag/ }).click();
    await this.#page.keyboard.press("Escape");
    await details.getByRole("button", { name: tag }).waitFor();
  }

  /** Gives the open note, which the server has, a tag. */
  async tagNote(tag: string): Promise<void> {
    const details = this.#page.getByRole("complementary", { name: "Document details" });
    await details.getByRole("button", { name: /^(No tags|offline)/ }).click();
    await this.#page.getByRole("combobox", { name: "Change the tags" }).fill(tag);
    await this.#page.getByRole("option", { name: /Add the tag/ }).click();
    await this.#page.keyboard.press("Escape");
    await details.getByRole("button", { name: tag }).waitFor();
    await this.#isKept();
  }

  async renameFile(title: string, to: string): Promise<void> {
    await this.#chooseForFile(title, "Rename");
    await this.#page.getByRole("textbox", { name: `New name for ${title}.md` }).fill(to);
    await this.#page.keyboard.press("Enter");
    await this.#file(to).waitFor();
    await this.#isKept();
  }

  async moveFile(title: string, folder: string): Promise<void> {
    await this.#chooseForFile(title, "Move to…");
    await this.#page.getByRole("option", { name: folder, exact: true }).click();
    await this.#page.getByText(`Moved “${title}.md” to “${folder}”`).waitFor();
    await this.#isKept();
  }

  async deleteFile(title: string): Promise<void> {
    await this.#chooseForFile(title, "Delete");
    await this.#file(title).waitFor({ state: "detached" });
    await this.#isKept();
  }

  /** Takes the last deletion back. The restoration takes its place in what the browser keeps. */
  async undoDeletion(title: string): Promise<void> {
    await this.#page.keyboard.press("Control+z");
    await this.#file(title).waitFor();
  }

  /** Begins the note of a day with a line. */
  async writeDay(note: Note, date: string, line: string): Promise<void> {
    await this.#page.goto(`/documents?day=${date}`);
    await this.#page.getByRole("textbox", { name: "Text of the note" }).pressSequentially(line);
    await this.#page.locator(".cm-content").getByText(line).waitFor();
    await this.#isKept();
    await this.#isDrafted(line);
    note.mine.push(line);
  }

  /** Adds a line to the open note in a tab of its own, which is then closed. */
  async writeInOtherTab(note: Note, line: string): Promise<void> {
    const first = this.#page;
    this.#page = await this.#visitor.context.newPage();
    await this.#page.goto(first.url());
    await this.#page
      .locator(".cm-content")
      .getByText(note.mine.at(-1) ?? "")
      .waitFor();
    await this.write(note, line);
    await first.locator(".cm-content").getByText(line).waitFor();
    await this.#page.close();
    this.#page = first;
  }

  /** Opens a note that was created here. */
  async openNewNote(title: string): Promise<void> {
    await this.#page.goto("/documents");
    await this.#file(title).click();
    await this.#page.getByRole("article", { name: title }).locator(".cm-content").waitFor();
  }

  /** Adds a line at the end of the open note. */
  async write(note: Note, line: string): Promise<void> {
    await this.#page.locator(".cm-content").click();
    await this.#page.keyboard.press("Control+End");
    await this.#page.keyboard.type(`${line}\n`);
    await this.#isDrafted(line);
    note.mine.push(line);
  }

  /** Ends the tab's process without any warning, and opens another tab. */
  async kill(): Promise<void> {
    const session = await this.#visitor.context.newCDPSession(this.#page);
    const crashed = this.#page.waitForEvent("crash");
    void session.send("Page.crash").catch(() => undefined);
    await crashed;
    await this.#page.close();
    this.#page = await this.#visitor.context.newPage();
    await this.#page.setViewportSize(WINDOW);
  }

  /** Opens the page once more, offline, and then goes online. */
  async comeBack(): Promise<void> {
    await this.openTasks();
    await this.#visitor.context.setOffline(false);
  }

  /**
   * Keeps the own version in each conflict, gives notes another name if theirs is taken, and keeps what was changed since it was deleted
   * here, until nothing is left to be sent. Returns how many there were.
   */
  async resolveConflicts(): Promise<number> {
    let resolved = 0;
    const mine = this.#page.getByRole("button", { name: /^(Save mine|Create as |Name it |Keep it)/ }).first();
    for (;;) {
      const [changes, drafts] = [await this.#keptChanges(), await this.#keptDrafts()];
      if (changes === 0 && drafts === 0) return resolved;
      if (await mine.isVisible()) {
        await mine.click();
        resolved += 1;
      }
      await this.#page.waitForTimeout(500);
    }
  }

  get #panel() {
    return this.#page.getByRole("complementary", { name: "Task" });
  }

  #task(title: string) {
    return this.#page.locator("[data-task-id]", { has: this.#page.getByText(title, { exact: true }) });
  }

  #file(title: string) {
    return this.#page.getByRole("treeitem", { name: new RegExp(`^${title}( [^\\d].*)?$`) });
  }

  async #chooseForFile(title: string, action: string): Promise<void> {
    await this.#file(title).click({ button: "right" });
    await this.#page.getByRole("menuitem", { name: action }).click();
  }

  async #open(title: string): Promise<void> {
    await this.#task(title).getByText(title, { exact: true }).click();
    await this.#panel.waitFor();
  }

  async #closePanel(): Promise<void> {
    await this.#page.keyboard.press("Escape");
    await this.#panel.waitFor({ state: "detached" });
  }

  async #choose(title: string, field: RegExp, option: string): Promise<void> {
    await this.#task(title).getByRole("button", { name: field }).click();
    await this.#page.getByRole("option", { name: option, exact: true }).click();
    await this.#isKept();
  }

  /** Waits until the browser keeps one change more: from then on, the tab may be killed. */
  async #isKept(): Promise<void> {
    this.#changes += 1;
    for (let kept = -1; kept !== this.#changes; kept = await this.#keptChanges()) {
      if (kept > this.#changes) throw new Error(`${kept} changes are kept after ${this.#changes} edits.`);
      await this.#page.waitForTimeout(20);
    }
  }

  async #isDrafted(line: string): Promise<void> {
    await this.#page.waitForFunction(
      (text) =>
        Object.entries(localStorage).some(([key, value]) => key.includes("draft.document.") && value.includes(text)),
      line,
    );
  }

  #keptDrafts(): Promise<number> {
    return this.#page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("draft.document.")).length);
  }

  #keptChanges(): Promise<number> {
    return this.#count("workspace-outbox", "changes");
  }

  /** How many records a store of the browser has, with a key if one is given. */
  #count(database: string, store: string, key?: string): Promise<number> {
    return this.#page.evaluate(
      (of) =>
        new Promise<number>((resolve, reject) => {
          const opening = indexedDB.open(of.database);
          opening.addEventListener("error", () => reject(opening.error ?? new Error("failed")));
          opening.addEventListener("success", () => {
            const counting = opening.result.transaction(of.store).objectStore(of.store).count(of.key);
            counting.addEventListener("success", () => {
              resolve(counting.result);
              opening.result.close();
            });
          });
        }),
      { database, store, key },
    );
  }
}
