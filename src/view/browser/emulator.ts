/**
 * The script of the emulator's pages. Two attributes bring a page to life, and the server renders everything: a form with `data-live` asks
 * for its page again whenever a value changes, and an element with `data-poll` does so every few seconds. The elements with `data-part`
 * are then replaced by those of the response.
 */

const changeMilliseconds = 150;

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-live]")) startLiveForm(form);
for (const element of document.querySelectorAll<HTMLElement>("[data-poll]")) startPolling(element);
// On a phone the links to the pages scroll sideways.
document.querySelector('.app > nav [aria-current="page"]')?.scrollIntoView({ block: "nearest", inline: "center" });

/** Asks for the page again with the form's values, a moment after the last change. */
function startLiveForm(form: HTMLFormElement): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let requests = 0;
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      requests += 1;
      const current = requests;
      const values = new URLSearchParams();
      for (const [name, value] of new FormData(form)) {
        if (name !== "form_token" && typeof value === "string") values.append(name, value);
      }
      const page = await load(`${location.pathname}?${values}`);
      // A newer request has the later values.
      if (page !== undefined && current === requests) replaceParts(page);
    }, changeMilliseconds);
  });
}

/** Asks for the page again at intervals, while it is visible and nobody has marked a text in it. */
function startPolling(element: HTMLElement): void {
  const milliseconds = Number(element.dataset.poll) * 1000;
  setInterval(async () => {
    const isPaused = document.querySelector<HTMLInputElement>("#pause")?.checked === true;
    if (isPaused || document.hidden || getSelection()?.isCollapsed === false) return;
    const page = await load(location.href);
    if (page !== undefined) replaceParts(page);
  }, milliseconds);
}

/** The page at the address; undefined if the emulator has stopped or the session has ended. */
async function load(address: string): Promise<Document | undefined> {
  try {
    const response = await fetch(address, { headers: { accept: "text/html" } });
    return response.ok ? new DOMParser().parseFromString(await response.text(), "text/html") : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the parts of this page by those of another, unless they are equal. Focus and scrolled tables stay as they are. */
function replaceParts(page: Document): void {
  for (const part of document.querySelectorAll<HTMLElement>("[data-part]")) {
    const other = page.querySelector<HTMLElement>(`[data-part="${part.dataset.part ?? ""}"]`);
    if (other === null || other.outerHTML === part.outerHTML) continue;
    const { activeElement } = document;
    const focused = part.contains(activeElement) ? activeElement : null;
    const scrolled = [...part.querySelectorAll(".wide")].map(({ scrollLeft }) => scrollLeft);
    const copy = document.importNode(other, true);
    part.replaceWith(copy);
    for (const [index, table] of copy.querySelectorAll(".wide").entries()) table.scrollLeft = scrolled[index] ?? 0;
    if (focused !== null) restoreFocus(copy, focused);
  }
}

/** Sets the focus on the element with the same id, or on the link to the same page. */
function restoreFocus(part: HTMLElement, former: Element): void {
  const address = former.getAttribute("href");
  const selector =
    former.id !== "" ? `#${CSS.escape(former.id)}` : address === null ? null : `a[href="${CSS.escape(address)}"]`;
  const target = selector === null ? null : part.querySelector<HTMLElement>(selector);
  target?.focus({ preventScroll: true });
  const isText =
    former instanceof HTMLTextAreaElement || (former instanceof HTMLInputElement && former.type === "text");
  if (isText && (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) {
    target.value = former.value;
    target.setSelectionRange(former.selectionStart, former.selectionEnd);
  }
}
