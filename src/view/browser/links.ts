/** Links to a change, which open it, and printing, for which everything is open. */

import type { Filters } from "./filters.ts";

/** Opens the change that the address of the page names, now and whenever it changes. */
export function startLinks({ clear }: Filters): void {
  const reveal = (): void => {
    const name = decodeURIComponent(location.hash.slice(1));
    const card = name === "" ? null : document.getElementById(name);
    if (!(card instanceof HTMLDetailsElement)) return;
    if (card.hidden) clear();
    card.open = true;
    card.querySelector("summary")?.focus({ preventScroll: true });
    card.scrollIntoView({ block: "center" });
  };
  addEventListener("hashchange", reveal);
  reveal();
}

/** Opens everything while the page is printed. */
export function startPrint(): void {
  let closed: readonly HTMLDetailsElement[] = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll<HTMLDetailsElement>("details:not([open])")];
    for (const each of closed) each.open = true;
  });
  addEventListener("afterprint", () => {
    for (const each of closed) each.open = false;
  });
}
