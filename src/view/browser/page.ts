/** The script of a plan's page: everything that the page can do besides being read. Without it the page is complete. */

import { startDiagrams } from "./diagrams.ts";
import { type Filters, startFilters } from "./filters.ts";

const filters = startFilters();
startLinks(filters);
startPrint();
startKeys(filters);
startDiagrams();

/** Opens the change that the address of the page names, now and whenever it changes. */
function startLinks({ clear }: Filters): void {
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
function startPrint(): void {
  let closed: readonly HTMLDetailsElement[] = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll<HTMLDetailsElement>("details:not([open])")];
    for (const each of closed) each.open = true;
  });
  addEventListener("afterprint", () => {
    for (const each of closed) each.open = false;
  });
}

/** Starts the keys and shows the buttons, which are hidden in a page without its script. */
function startKeys(filters: Filters): void {
  const { search, visible, clear } = filters;
  const help = document.querySelector<HTMLDialogElement>("#keys");
  const fold = (open: boolean): void => {
    for (const card of visible()) card.open = open;
  };
  const step = (by: 1 | -1): void => {
    const all = visible();
    const at = all.findIndex((card) => card.contains(document.activeElement));
    const next = all
      .at(at < 0 ? (by > 0 ? 0 : -1) : Math.min(all.length - 1, Math.max(0, at + by)))
      ?.querySelector("summary");
    next?.focus({ preventScroll: true });
    next?.scrollIntoView({ block: "center" });
  };
  const keys = new Map<string, () => void>([
    ["/", () => search?.focus()],
    ["j", () => step(1)],
    ["k", () => step(-1)],
    ["e", () => fold(true)],
    ["c", () => fold(false)],
    ["?", () => help?.showModal()],
  ]);

  const buttons = { "#open": () => fold(true), "#close": () => fold(false), "#help": () => help?.showModal() };
  for (const [selector, act] of Object.entries(buttons)) {
    const button = document.querySelector<HTMLElement>(selector);
    button?.addEventListener("click", act);
  }
  for (const button of document.querySelectorAll<HTMLButtonElement>("button.copy")) {
    button.hidden = false;
    button.addEventListener("click", () => copy(button));
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help?.open === true) return;
    const { activeElement } = document;
    if (event.key === "Escape") {
      if (activeElement === search) search?.blur();
      clear();
      return;
    }
    if (activeElement?.matches("input, textarea, select") === true) return;
    const act = keys.get(event.key);
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
}

/** Copies the command beside a button. */
async function copy(button: HTMLButtonElement): Promise<void> {
  const command = button.parentElement?.querySelector("code");
  if (command === null || command === undefined) return;
  try {
    await navigator.clipboard.writeText(command.textContent ?? "");
    button.textContent = "Copied";
  } catch {
    // Without permission to write to the clipboard, the command is selected for the user to copy.
    getSelection()?.selectAllChildren(command);
    button.textContent = "Selected";
  }
}
