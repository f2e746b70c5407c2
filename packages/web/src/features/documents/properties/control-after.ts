/**
 * The control after an element of a form's fields: of the next row, or what follows the rows. Buttons beside the values of rows are left
 * out. Null if there is none, or if the fields cannot be edited.
 */
export function controlAfter(element: HTMLElement): HTMLElement | null {
  const controls = element.closest("fieldset")?.querySelectorAll<HTMLElement>("input:enabled, button:enabled") ?? [];
  const isAfter = (control: HTMLElement) =>
    element.compareDocumentPosition(control) === Node.DOCUMENT_POSITION_FOLLOWING &&
    (control.closest("dd") !== null || control.closest("dl") === null);
  return [...controls].find(isAfter) ?? null;
}
