/** The filters of a page: chips for attention, action and kind, and a search in the text of the changes. */

/** The cards of a page and those that the filters show. */
export interface Filters {
  readonly search: HTMLInputElement | null;
  /** The cards that are shown, in their order. */
  readonly visible: () => readonly HTMLDetailsElement[];
  /** Shows all cards again. */
  readonly clear: () => void;
}

/** Characters that stand for an unset value of a data attribute. */
const NONE = "";

/** Starts the filters, which are hidden in a page without its script. */
export function startFilters(): Filters {
  const cards = [...document.querySelectorAll<HTMLDetailsElement>("details.card")];
  const bar = document.querySelector<HTMLElement>("#filters");
  const search = document.querySelector<HTMLInputElement>("#search");
  const status = document.querySelector<HTMLOutputElement>("#status");
  const groups = [...document.querySelectorAll<HTMLElement>("section.group")].map((group) => ({
    group,
    cards: [...group.querySelectorAll<HTMLDetailsElement>("details.card")],
  }));
  const chips = [...document.querySelectorAll<HTMLButtonElement>("#filters .chip")];
  /** The text of each card in lower case, read at the first search. */
  let texts: ReadonlyMap<HTMLDetailsElement, string> | undefined;

  const apply = (): void => {
    const query = search?.value.trim().toLowerCase() ?? "";
    if (query !== "") texts ??= new Map(cards.map((card) => [card, (card.textContent ?? "").toLowerCase()]));
    const chosen = new Map<string, Set<string>>();
    for (const { dataset, ariaPressed } of chips) {
      if (ariaPressed !== "true") continue;
      const name = dataset.filter ?? NONE;
      chosen.set(name, (chosen.get(name) ?? new Set()).add(dataset.value ?? NONE));
    }
    let count = 0;
    for (const { group, cards: own } of groups) {
      let isEmpty = true;
      for (const card of own) {
        const fits =
          [...chosen].every(([name, values]) => values.has(card.dataset[name] ?? NONE)) &&
          (query === "" || texts?.get(card)?.includes(query) === true);
        if (card.hidden === fits) card.hidden = !fits;
        if (!fits) continue;
        isEmpty = false;
        count += 1;
      }
      group.hidden = isEmpty;
    }
    if (status !== null) status.textContent = countText(count, cards.length);
    document.querySelector<HTMLElement>("#nothing")?.toggleAttribute("hidden", count > 0 || cards.length === 0);
  };
  const clear = (): void => {
    if (search !== null) search.value = "";
    for (const chip of chips) chip.ariaPressed = "false";
    apply();
  };

  if (bar !== null) {
    bar.hidden = false;
    search?.addEventListener("input", apply);
    for (const chip of chips) {
      chip.addEventListener("click", () => {
        chip.ariaPressed = chip.ariaPressed === "true" ? "false" : "true";
        apply();
      });
    }
    document.querySelector("#clear")?.addEventListener("click", clear);
    apply();
  }
  return { search, visible: () => cards.filter(({ hidden }) => !hidden), clear };
}

function countText(count: number, all: number): string {
  const noun = all === 1 ? "change" : "changes";
  const [some, whole] = [count, all].map((number) => number.toLocaleString("en"));
  return count === all ? `${whole} ${noun}` : `${some} of ${whole} ${noun}`;
}
