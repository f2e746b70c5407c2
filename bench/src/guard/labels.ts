import type { CollectedCommand } from "./repository-commands.ts";

/**
 * Whether a command destroys or publishes, by what people say of it, or by its words where nobody says anything: without any of the
 * code that judges it. The rule is explained in the README.
 */
export function isDestructive({ text, description }: CollectedCommand): boolean {
  return (
    DESTRUCTIVE_TEXT.some((pattern) => pattern.test(text)) || (description !== undefined && SAYS_SO.test(description))
  );
}

/** Verbs of descriptions. */
const SAYS_SO =
  /\b(?:delet(?:e[sd]?|ing|ion)|remov(?:e[sd]?|ing|al)|uninstall\w*|drops?|dropping|destroy\w*|purg(?:e[sd]?|ing)|eras(?:e[sd]?|ing)|wip(?:e[sd]?|ing)|discard\w*|prun(?:e[sd]?|ing)|shred\w*|overwrit\w*|revok\w*|evict\w*|clear(?:s|ed|ing)?|clean(?:s|ed|ing|up)?|flush\w*|empty|truncat\w*|formats?|undo|reset(?:s|ting)?|rewrit\w*|force(?:d|s|ful\w*)?(?: |-)push\w*|kill(?:s|ed|ing)? (?:all|every)|shut(?:s|ting)? ?down|power(?:s|ing)? ?off|reboot\w*|restart\w*|halts?)\b/i;

/** A word of a command, which does not end it. */
const ARGUMENT = String.raw`[^\s;|&]+`;

const DESTRUCTIVE_TEXT: readonly RegExp[] = [
  // A verb as a subcommand, of a program that is not one for reading text.
  /(?:^|[;&|(]|\bthen\s|\bdo\s)\s*(?:sudo\s+)?(?!grep|rg|ag|find|ls|cat|echo|man|which|git log)[\w./${}-]+(?:\s+[\w:./=-]+){0,6}\s+(?:[\w-]+[:-])?(?:delete|destroy|purge|prune|uninstall|erase|wipe|terminate|revoke|evict|drain|yank|unpublish)(?:[:-][\w-]+)?(?:\s|$)/im,
  /\baliyun\s+\w+\s+(?:Delete|Release)[A-Z]/,
  // Files by an absolute path or in the home, other than temporary ones.
  /\brm(?:\.exe)?\s(?:[^\n;|&]*\s)?["']?(?:~|\$\{?HOME|[A-Z]:\/|\/(?!tmp\/|var\/tmp\/|dev\/shm\/))/,
  // Any number of files that the command does not name.
  /\b(?:xargs|parallel)\b(?:[^\n|;'"]|'[^']*'|"[^"]*")*?\brm\b|\b(?:xargs|parallel)\b[^\n]*\s'[^'\n]*\brm\b|-exec(?:dir)?\s+rm\b|\s-delete\b|\brm\s[^\n;|&]*["']?\$\(/,
  /\b(?:apt|apt-get|dnf|yum|apk|pacman|brew|snap)\s(?:[^\n;|&]*\s)?(?:remove|purge|autoremove|erase|del|-R\w*)\s/,
  /\bgit\s[^\n;|&]*\b(?:reset\s+--hard|clean\s+-\w*f|push\s[^\n;|&]*(?:--force|-f\b|--delete|\s"?\+\w|\s"?:\w)|branch\s+-D|stash\s+(?:drop|clear)|filter-(?:branch|repo)|checkout\s+(?:-f|--\s|\.))/,
  /\b(?:drop\s+(?:database|table|schema|user|role)|truncate\s+table|delete\s+from|(?:db|schema):(?:drop|reset)|migration:revert(?![^\n;|&]*--fake)|(?:migrate|db)\s+reset)\b/i,
  /\b(?:mkfs|wipefs|shred|srm|fdisk|sgdisk|parted)\b|\bdd\s[^\n]*of=\/dev\/|\bbadblocks\s(?:-\S+\s)*-\w*w/,
  /\bdocker\S*\s[^\n;|&]*(?:\bdown\s[^\n;|&]*-(?:v\b|-volumes)|\bvolume\s+rm\b)/,
  // What containers, clusters and the state of infrastructure lose, wherever in the command.
  /\b(?:docker|podman|nerdctl|kubectl|oc|etcdctl|kops|argocd|terraform)\s(?:[^\n;|&]*\s)?(?:rmi?|del|delete|remove)\s/,
  // What object storage and deployed stacks lose, and copies that delete at their destination whatever their source lacks.
  /\b(?:aws\s+(?:--?\S+\s+)*s3|gsutil|mc|s3cmd|s5cmd)\s+(?:--?\S+\s+)*(?:rm|rb|del)\s|\b(?:serverless|sls)\s+remove\b/,
  /\brclone\s(?:[^\n;|&]*\s)?(?:deletefile|cleanup)\s|\brclone\s(?![^\n;|&]*(?:\s-i\b|--interactive|--dry-run))(?:[^\n;|&]*\s)?(?:sync|bisync)\s/,
  /\b(?:rsync|aws\s+s3\s+sync)\s[^\n;|&]*--del(?:ete\b|ete-|\s)/,
  // Requests that delete, by their method or by what they ask for.
  /\bcurl\s[^\n|;]*(?:-X|--request)[\s=]*["']?DELETE\b/,
  /\bcurl(?=[^\n|;]*\s(?:-X|--request)[\s=]*POST)[^\n|;]*\/delete(?:_\w+)?(?:[\s"'?]|$)/,
  // Taking back what others may use, or from others what they may do with it.
  /\bowner\s+(?:rm|remove|--remove|-r)\s|\baws\s+iam\s+detach-\w+-policy\s/,
  // Halting this machine or another.
  /^\s*(?:(?:sudo|exec|ssh\s+\S+)\s+)*(?:halt|poweroff|reboot|shutdown|(?:\/sbin\/)?(?:tel)?init\s+[06])(?:\s|$)/m,
  // Publishing, which no registry takes back: others have the version, and its number is used up. Not to a registry on this machine.
  new RegExp(
    String.raw`\b(?:(?:npm|pnpm|yarn|bun|lerna|changeset|vsce|ovsx|cargo|uv|poetry|pdm|flit|hatch|gradlew?)\s(?:${ARGUMENT}\s)*publish|gem\s+push|twine\s+upload|nuget\s+push|mvnw?\s(?:${ARGUMENT}\s)*deploy|goreleaser\s+release|semantic-release)(?=\s|$)(?![^\n;|&]*(?:--dry-run|--snapshot|--skip-publish|--skip=\S*publish|localhost|127\.0\.0\.1))`,
  ),
];
