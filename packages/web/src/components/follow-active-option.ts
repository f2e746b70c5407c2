const OPTION = '[cmdk-item][aria-selected="true"]';
const POINTERS = "[cmdk-input], [cmdk-list]";
const ATTRIBUTE = "aria-activedescendant";

/**
 * Keeps screen readers on the highlighted option of a cmdk list; for use as the `ref` of its root. cmdk itself leaves
 * `aria-activedescendant` on an option that is gone when the results change.
 */
export function followActiveOption(root: HTMLElement | null): (() => void) | undefined {
  if (root === null) return undefined;
  const follow = () => {
    const id = root.querySelector(OPTION)?.id;
    for (const pointer of root.querySelectorAll(POINTERS)) {
      if (id === undefined) pointer.removeAttribute(ATTRIBUTE);
      else if (pointer.getAttribute(ATTRIBUTE) !== id) pointer.setAttribute(ATTRIBUTE, id);
    }
  };
  const observer = new MutationObserver(follow);
  observer.observe(root, { subtree: true, childList: true, attributeFilter: ["aria-selected", ATTRIBUTE] });
  follow();
  return () => observer.disconnect();
}
