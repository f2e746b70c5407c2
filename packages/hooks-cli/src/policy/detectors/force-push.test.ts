import { describe, expect, test } from "vitest";
import { CallSubject } from "../call-subject.ts";
import { EXAMPLE_FACTS } from "../fire-rules.ts";
import { interpretTool } from "../tool-call.ts";
import { detectForcePush } from "./force-push.ts";

/** With `main` checked out below /work, no branch in /detached, and `topic` everywhere else. */
function detected(command: string, branches?: readonly string[]): string | undefined {
  const branchAt = (directory: string) =>
    directory === "/detached" ? undefined : directory.startsWith("/work") ? "main" : "topic";
  const subject = new CallSubject(interpretTool("Bash", { command }), { ...EXAMPLE_FACTS, branchAt });
  return detectForcePush(subject, branches);
}

describe("a protected branch is rewritten or deleted by", () => {
  test.each([
    "git push -f origin main",
    "git push -f origin master",
    "git push -qf origin main",
    "git push -fq origin main",
    "git push --force-with-lease=main:abc origin main",
    "git push --force-if-includes origin main",
    "git push --delete origin main",
    "git push -ud origin main",
    "git push -dq origin main",
    "git push --prune origin main",
    "git push --mirror",
    "git push --all -f",
    "git push --branches --force",
    "git push origin +main",
    "git push origin +topic:main",
    "git push origin :main",
    "git push -f origin topic main",
    "git push -f origin tag main",
    "git push -f origin refs/heads/main",
    "hub push -f origin main",
    "git-push -f origin main",
    "git-send-pack --force origin main",
    "git send-pack --force origin main",
    "git -p push -f origin main",
  ])("%s", (command) => expect(detected(command)).toBe(command));

  test.each(["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env", "--super-prefix"])(
    "a push after git's own option %s",
    (option) => {
      const command = `git ${option} /x push -f origin main`;
      expect(detected(command)).toBe(command);
    },
  );

  test("a forced push of an unknown branch, or of the current branch if that is unknown", () => {
    expect(detected('git push -f origin "$B"')).toBeDefined();
    expect(detected('git push -f origin "x:$B"')).toBeDefined();
    expect(detected('git "$X" -f origin main')).toBeDefined();
    expect(detected("git -C /detached push -f")).toBeDefined();
  });

  test.each(["", " origin", " origin HEAD", " origin @", " origin HEAD:", " origin topic:"])(
    "a forced push of the current branch: push -f%s",
    (rest) => {
      expect(detected(`git -C /work push -f${rest}`)).toBeDefined();
      expect(detected(`cd /work && git push -f${rest}`)).toBeDefined();
      expect(detected(`cd /work && git -C sub push -f${rest}`)).toBeDefined();
      expect(detected(`git push -f${rest}`)).toBeUndefined();
      expect(detected(`git -c /work push -f${rest}`)).toBeUndefined();
      expect(detected(`git -C /work push${rest}`)).toBeUndefined();
    },
  );
});

describe("no protected branch is rewritten by", () => {
  test.each([
    "git",
    "git -C",
    "git push",
    "git push origin main",
    "git push origin topic:main",
    "git push origin a+b:main",
    "git push -f origin topic",
    "git push -f origin main:topic",
    "git push -f main topic",
    "git push -f origin tag v1",
    "git push -f origin x/refs/heads/main",
    "git push origin :topic",
    "git push --all",
    "git push --branches",
    "git push --deleted origin main",
    "git push --xd origin main",
    "git push -1d origin main",
    "git push --forced origin main",
    "git push --no-force origin main",
    'git push origin "x$B"',
    "git pull -f origin main",
    "gitk push -f origin main",
    "mygit push -f origin main",
  ])("%s", (command) => expect(detected(command)).toBeUndefined());

  test.each(["-o", "--push-option", "--receive-pack", "--exec", "--repo", "--recurse-submodules"])(
    "a push with a value for %s",
    (option) => {
      expect(detected(`git push -f ${option} x origin topic`)).toBeUndefined();
      expect(detected(`git push -f origin ${option} main topic`)).toBeUndefined();
    },
  );
});

test("a rule can protect other branches, by name or by glob", () => {
  expect(detected("git push -f origin release/2", ["release/*"])).toBeDefined();
  expect(detected("git push -f origin 'refs/heads/*'", ["release"])).toBeDefined();
  expect(detected("git push -f origin main", ["release/*"])).toBeUndefined();
});
