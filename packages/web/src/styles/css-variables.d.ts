import "react";

declare module "react" {
  interface CSSProperties {
    /** The hex of a project's colour, for the `project-color` utility. */
    "--project-color"?: string;
  }
}
