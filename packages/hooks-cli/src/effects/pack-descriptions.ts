/** What people are shown about a pack. Apart from its rules, since hooks need nothing of it. */
export interface PackDescription {
  readonly title: string;
  /** What the pack protects from, as a sentence. */
  readonly protects: string;
}

const DESCRIPTIONS: Readonly<Record<string, PackDescription>> = {
  safe: {
    title: "Safe",
    protects: "Protects from losing work, data or infrastructure for good, and hardly ever gets in the way.",
  },
  git: { title: "Git", protects: "Protects work that git cannot bring back, and branches that others use." },
  files: { title: "Files", protects: "Protects files from being deleted or overwritten in bulk." },
  disks: { title: "Disks", protects: "Protects disks, partitions, volumes and file systems." },
  permissions: { title: "Permissions", protects: "Protects access rights and accounts." },
  processes: {
    title: "Processes and services",
    protects: "Protects running services, scheduled jobs and the machine itself.",
  },
  containers: { title: "Containers", protects: "Protects containers, images and volumes." },
  kubernetes: { title: "Kubernetes", protects: "Protects what runs in a cluster." },
  infrastructure: {
    title: "Infrastructure",
    protects: "Protects what is managed as code: servers, networks, databases and their state.",
  },
  cloud: { title: "Cloud", protects: "Protects resources, storage, secrets and identities at cloud providers." },
  databases: { title: "Databases", protects: "Protects tables, rows and whole databases." },
  packages: { title: "Packages", protects: "Protects published packages and what the system has installed." },
  code: { title: "Unreviewed code", protects: "Protects from code that nobody has read before it runs." },
  services: {
    title: "Online services",
    protects: "Protects what lives in other services: repositories, releases, DNS, queues, search, mail, payments.",
  },
  backups: { title: "Backups", protects: "Protects backups, on which everything else may depend one day." },
  credentials: { title: "Credentials", protects: "Protects keys, passwords and secrets from being lost or read." },
};

/** The description of a pack; its id and nothing else if there is no such pack. */
export function describePack(id: string): PackDescription {
  return DESCRIPTIONS[id] ?? { title: id, protects: "" };
}
