import { FreeNames } from "./free-names.ts";
import { folderOfPath, joinPath, nameOfPath, splitName } from "./import-format.ts";

/** Translates the paths of an export into those that people would have chosen. */
export interface CleanNames {
  /** The new path of a file. */
  file(path: string): string;
  /** The new path of a folder. */
  folder(path: string): string;
}

/**
 * Gives files and folders clean names. A page and the folder of what belongs to it have the same name without the extension, and so
 * they keep one; where two things would get the same name in a folder, in whatever case, the second one gets a number. Folders for
 * which `clean` returns nothing are left out, and what is in them moves up.
 */
export function cleanNames(paths: readonly string[], clean: (stem: string) => string): CleanNames {
  const folders = new Map<string, string>([["", ""]]);
  const stems = new Map<string, Map<string, string>>();
  const namesByFolder = new Map<string, FreeNames>();

  /** The clean name of a stem within a clean folder; that of the folder itself if it is left out. */
  function nameIn(parent: string, folder: string, stem: string, fallback: string): string {
    const known = stems.get(parent) ?? new Map<string, string>();
    stems.set(parent, known);
    const before = known.get(stem);
    if (before !== undefined) return before;
    const wanted = clean(stem) || fallback;
    const names = namesByFolder.get(folder) ?? new FreeNames();
    namesByFolder.set(folder, names);
    const name = wanted === "" ? "" : names.take(wanted);
    known.set(stem, name);
    return name;
  }

  function folder(path: string): string {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const parent = folderOfPath(path);
    const cleanParent = folder(parent);
    const name = nameIn(parent, cleanParent, nameOfPath(path), "");
    const cleanPath = name === "" ? cleanParent : joinPath(cleanParent, name);
    folders.set(path, cleanPath);
    return cleanPath;
  }

  function file(path: string): string {
    const parent = folderOfPath(path);
    const cleanParent = folder(parent);
    const { stem, extension } = splitName(nameOfPath(path));
    return joinPath(cleanParent, nameIn(parent, cleanParent, stem, "Untitled") + extension);
  }

  // In a fixed order, so that the same export always gets the same names.
  for (const path of paths.toSorted()) file(path);
  return { file, folder };
}
