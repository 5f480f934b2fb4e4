// Where the focus goes from a button that can be pressed no more: it would be lost.

/**
 * Gives the focus of such a button to the one after it, else before it, or to the page.
 * @param {?Element} focused
 * @param {HTMLElement} root
 */
export function handOn(focused, root) {
  if (!root.contains(focused) || !focused?.matches(":disabled")) return;
  const row = [...focused.parentElement?.children ?? []];
  const at = row.indexOf(focused);
  const next = [...row.slice(at), ...row.slice(0, at).reverse()].find((one) => one.matches("button:not(:disabled, [hidden])"));
  /** @type {HTMLElement} */ (next ?? root).focus({ preventScroll: true });
}
