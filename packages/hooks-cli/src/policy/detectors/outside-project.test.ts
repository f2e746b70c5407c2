import { describe, expect, test } from "vitest";
import { CallSubject } from "../call-subject.ts";
import { EXAMPLE_FACTS } from "../fire-rules.ts";
import { interpretTool } from "../tool-call.ts";
import { detectDeleteOutside, detectWriteOutside } from "./outside-project.ts";

function subjectOf(command: string): CallSubject {
  return new CallSubject(interpretTool("Bash", { command }), EXAMPLE_FACTS);
}

describe("deleting outside the project", () => {
  test.each([
    ["rm /srv/a", "/srv/a"],
    ["rm -r /srv/*", "/srv/*"],
    ["rm -r /*", "/*"],
    ["tar --remove-files -czf a.tgz /srv/a", "/srv/a"],
    ["zip -qrm a.zip ../a", "../a"],
    ["rm $(which node)", "/usr/bin/node"],
    ["f=$(find ~ -name x | head -1); rm $f", "/home/user/x"],
    ["7z a -sdel a.7z /srv/a", "/srv/a"],
    ["rm -r /tmp/*", "/tmp/*"],
    // Everything in the project is equivalent to the project itself.
    ["rm -r ./*", "./*"],
    ["rm -r ./.*", "./.*"],
    ["rm -r ./**", "./**"],
    ["rm -r ./.[!.]*", "./.[!.]*"],
    ["rm -r ./.[a-z]*", "./.[a-z]*"],
  ])("is %s", (command, found) => expect(detectDeleteOutside(subjectOf(command))).toBe(found));

  test.each(["rm -r a", "rm -r src/*", "rm -r src/*/x", "rm -r ./*.log", "rm -r './*'", "touch /srv/a"])(
    "is not %s",
    (command) => expect(detectDeleteOutside(subjectOf(command))).toBeUndefined(),
  );

  test.each([
    "rm -rf ~/.cache/pip",
    "rm -rf ~/.npm/_cacache",
    "rm -rf ~/.cache/go-build/*",
    "rm -rf /var/lib/apt/lists/*",
    "rm -rf ../node_modules",
    "docker run --rm alpine rm -rf /srv/a",
    "docker run --rm -v /home/user/project:/w -w /w alpine sh -c 'rm -rf dist'",
    "docker run --rm -v /home/user/project:/w node rm -rf node_modules",
    "docker run --rm -v /home/user/project:/w alpine chroot /w rm -rf /tmp/a",
    "mv ../a.yaml src",
    "rename '' x *",
    "rename 's/a/b/' /srv/*.txt",
    "mv ../a.json ../a.json.old",
    'cd "$(mktemp -d)" && git clone h a && rm -rf a',
    'cleanup() { rm -rf "$TMP_DIR"; }; trap cleanup EXIT; TMP_DIR=$(mktemp -d)',
    'rm -rf "$BUILD_TMP/out"',
    "[ -L ../link ] && rm -rf ../link",
    "find /srv/a -type d -exec mv {} {}.old \\;",
    "find -inum 7 -exec mv {} new-name \\;",
    "find . -samefile a -exec rm {} +",
    'mv ../a "../old/$NAME"',
    "mv /srv/a/.* /srv/b/",
    'find "$FOLDER" -name "*.log" | xargs zip -mT a.zip -@',
    'cd "$(dirname "${BASH_SOURCE[0]}")" && rm -rf dist',
    'rm -rf "$_tmp"',
    'rm -rf "$TMP_CLONE"',
    'rm -rf "${build_temp_dir}"',
    "pushd ../other && popd && rm -rf dist",
    "pushd ..; pushd other; popd; popd; rm -rf dist",
    "curl -o ~/x.tgz https://h/x && rm -f ~/x.tgz",
    "cd ~ && curl -fsSLO https://h/b/x.tgz && rm x.tgz",
    "cd ../other; make > log.txt; rm log.txt",
  ])("is not deleting a cache, or what a new container has, nor moving files: %s", (command) =>
    expect(detectDeleteOutside(subjectOf(command))).toBeUndefined(),
  );

  test.each([
    "rm -rf ~/.cache",
    "rm -rf /usr/local/lib/node_modules",
    "rm -rf ~/.cache/../docs",
    "docker run --rm -v ~/docs:/d alpine rm -rf /d/a",
    "docker run --rm -v /:/h alpine rm -rf /h/srv",
    "docker run -v /:/h alpine chroot /h rm -rf /srv/a",
    "docker run -v /:/h alpine chroot /h sh -c 'rm -rf /srv/a'",
    "docker run --privileged --pid=host alpine nsenter -t 1 -m rm -rf /srv/a",
    "docker run -v /srv:/w/srv alpine rm -rf /w",
    "docker run -v /srv:/w node rm -rf data",
    "docker run --mount type=bind,src=/srv,dst=/d alpine rm -rf /d/a",
    "docker run -v data:/d alpine rm -rf /d/a",
    "docker exec web rm -rf /srv/a",
    "mv ../a /tmp",
    "mv ~/.ssh ../ssh",
    "mv /etc/hosts .",
    'mv ../a "$x"',
    'mv ../a "/$x"',
    "find /tmp/x/.. -exec mv {} /tmp/old/{} \\;",
    "find /etc -name '*.conf' -exec mv {} {}.old \\;",
    'find "$FOLDER" -name "*.log" | xargs zip -rm a.zip',
    'rm -rf "$BUILD_TMP"/*',
    'rm -rf "$BUILD_TMP/usr/lib"',
    'rm -rf "$TMPDIR/a"',
    "[ -L ../link ] && rm -rf ../other",
    'cd "$x" && rm -rf dist',
    'rm -rf "$TMP"',
    'rm -rf "$_tmp"/*',
    'rm -rf "$(mktemp -d)/../../home/user"',
    'rm -rf "/tmp/$X/../../srv"',
    'rm -rf "$_tmp/../../srv"',
    ': "${TMP_DIR:=/srv}"; rm -rf "$TMP_DIR"',
    'declare -n _tmp=HOME; rm -rf "$_tmp"',
    'read -r _tmp; rm -rf "$_tmp"',
    "pushd ../other; rm -rf dist",
    "pushd ..; pushd other; popd; rm -rf dist",
    "pushd ../other; pushd; rm -rf dist",
    "pushd ../other; popd +0; rm -rf dist",
    "popd; rm -rf dist",
    "pushd ..; dirs -c; popd; rm -rf dist",
    "pushd -n /srv; popd; rm -rf dist",
    "cd ..; cd /tmp/x | true; rm -rf dist",
    "cd ..; cd /tmp/x & rm -rf dist",
    "cd ..; pushd /tmp/x | cat; rm -rf dist",
    "command cd .. && rm -rf dist",
    "builtin pushd ..; rm -rf dist",
    "TMP_X=/srv bash -c 'rm -rf \"$TMP_X\"'",
    "env TMP_X=/srv bash -c 'rm -rf \"$TMP_X\"'",
    "sudo TMP_X=/srv bash -c 'rm -rf \"$TMP_X\"'",
    'set -- /srv; for TMP_X; do rm -rf "$TMP_X"; done',
    'getopts o TMP_X; rm -rf "$TMP_X"',
    ": ${X:?$(rm -rf /srv)}",
    "curl -o ~/.bashrc https://h/x; rm ~/.bashrc",
    "curl -o ~/x https://h/x; mv docs/a ~/x; rm ~/x",
    "curl -o ~/x https://h/x; mv docs/x ~; rm ~/x",
    "curl -o ~/x https://h/x; cp a ~/x; rm ~/x",
    "rm ~/x; curl -o ~/x https://h/x",
    "curl -o ~/x https://h/x; rm -rf ~/x",
    "curl -o ~/x https://h/x; rm ~/y",
    "echo a >> ~/x; rm ~/x",
  ])("is deleting what is not made again: %s", (command) =>
    expect(detectDeleteOutside(subjectOf(command))).toBeDefined(),
  );

  test("is not deleting a single file that is not there, unless the command makes it first", () => {
    const facts = { ...EXAMPLE_FACTS, exists: () => false };
    const found = (command: string) => detectDeleteOutside(new CallSubject(interpretTool("Bash", { command }), facts));
    expect(found("rm -f /srv/a ~/b")).toBeUndefined();
    expect(found("mv ../a /srv/a && rm /srv/a")).toBe("/srv/a");
    expect(found("mv ../a /srv && rm /srv/a")).toBe("/srv/a");
    expect(found("rm -rf /srv/a")).toBe("/srv/a");
    expect(found("rm /srv/*")).toBe("/srv/*");
    expect(found("docker exec web rm /srv/a")).toBe("/srv/a");
  });

  test("is also deleting an unknown tree, but not an unknown file", () => {
    expect(detectDeleteOutside(subjectOf('rm -r "$X"'))).toBeDefined();
    expect(detectDeleteOutside(subjectOf('rm "$X"'))).toBeUndefined();
    const remove = (name: string) => interpretTool(name, { path: "~/a" });
    const homeless = { ...EXAMPLE_FACTS, home: undefined };
    expect(detectDeleteOutside(new CallSubject(remove("Delete"), homeless))).toBe("~/a");
    expect(detectDeleteOutside(new CallSubject(remove("Write"), homeless))).toBeUndefined();
  });
});

describe("writing outside the project", () => {
  test.each([
    ["touch /srv/a", "/srv/a"],
    ["touch ..", ".."],
    ["rm /srv/a", "/srv/a"],
  ])("is %s", (command, found) => expect(detectWriteOutside(subjectOf(command))).toBe(found));

  test.each(["touch a", "touch .", "touch /tmp", "touch /tmp/a", "cat /srv/a", "echo > /dev/null", 'touch "$X"'])(
    "is not %s",
    (command) => expect(detectWriteOutside(subjectOf(command))).toBeUndefined(),
  );
});

test("allowed locations count as inside the project", () => {
  expect(detectDeleteOutside(subjectOf("rm /srv/a"), ["/srv/*"])).toBeUndefined();
  expect(detectWriteOutside(subjectOf("touch /srv/a"), ["/srv/*"])).toBeUndefined();
  expect(detectDeleteOutside(subjectOf("rm /srv/a /etc/b"), ["/srv/*"])).toBe("/etc/b");
  expect(detectWriteOutside(subjectOf("touch /srv/a /etc/b"), ["/srv/*"])).toBe("/etc/b");
});
