import "react";

declare module "react" {
  interface CSSProperties {
    /** The hex of a project's colour, for the `project-color` utility. */
    "--project-color"?: string;
    /** The type of a written text, where it is smaller than a note. */
    "--prose-size"?: string;
    "--prose-line"?: string;
  }
}
