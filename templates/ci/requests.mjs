/** Requests to the API of a forge. Needs only Node. */

const PAGE = 100;
const MOST_PAGES = 50;
/** Seconds to wait for a rate limit, in all. */
const LONGEST_WAIT = 300;
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** Functions that send requests to an API with these headers. */
export function connect(api, credentials) {
  let waited = 0;

  /** Sends a request and returns the response. Requests that may have created something are not repeated. */
  async function send(method, path, body) {
    const url = new URL(`${api}${path}`);
    if (url.protocol !== "https:" && !LOOPBACK.includes(url.hostname)) {
      throw new Error(`${url.origin}: tokens are only sent over https`);
    }
    const headers = { accept: "application/json", "user-agent": "incidentctl", ...credentials };
    if (body !== undefined) headers["content-type"] = "application/json";
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    for (let attempt = 1; ; attempt += 1) {
      let wait;
      try {
        const signal = AbortSignal.timeout(30_000);
        const response = await fetch(url, { method, headers, ...text, redirect: "error", signal });
        if (response.ok) return response;
        const reason = `${method} ${url.pathname}: ${response.status} ${(await response.text()).slice(0, 300)}`;
        wait = limitWait(response) ?? (response.status >= 500 ? retryWait(method, attempt) : undefined);
        if (wait === undefined) throw Object.assign(new Error(reason), { status: response.status });
      } catch (error) {
        if (error.status !== undefined) throw error;
        wait = retryWait(method, attempt);
        if (wait === undefined) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, wait * 1000));
    }
  }

  /** Seconds until a rate limit ends, undefined if the response reports none. The forge has not carried out the request. */
  function limitWait({ status, headers }) {
    if (status !== 429 && status !== 403) return undefined;
    const isUsedUp = headers.get("x-ratelimit-remaining") === "0";
    const reset = isUsedUp ? Number(headers.get("x-ratelimit-reset")) - Date.now() / 1000 : undefined;
    const after = Number(headers.get("retry-after") ?? reset ?? (status === 429 ? 60 : Number.NaN));
    const wait = Math.max(1, Math.ceil(after));
    if (Number.isNaN(wait) || waited + wait > LONGEST_WAIT) return undefined;
    waited += wait;
    return wait;
  }

  const ask = async (method, path, body) => (await send(method, path, body)).json();

  /** All items of a list, page by page. `items` takes them from a response. */
  async function all(path, items = (page) => page) {
    const list = [];
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const some = items(await ask("GET", `${path}${path.includes("?") ? "&" : "?"}per_page=${PAGE}&page=${page}`));
      list.push(...some);
      if (some.length < PAGE) return list;
    }
    throw new Error(`${path}: more than ${MOST_PAGES * PAGE} items`);
  }

  return { send, ask, all };
}

/** Seconds before the next attempt, undefined if there is none. */
function retryWait(method, attempt) {
  return method === "POST" || attempt === 4 ? undefined : 0.25 * 2 ** attempt;
}
