// Addresses. Every page has one, and a link is an ordinary link.

export type Route =
  | { page: "lobby" }
  | { page: "login" }
  | { page: "setup"; link: string }
  | { page: "edges" }
  | { page: "play" }
  | { page: "buy-ins" }
  | { page: "meters" }
  | { page: "table" | "deal" | "sign" | "history"; id: string }
  | { page: "slip"; id: string; record: number }
  | { page: "nowhere" };

/** The page of an address. */
export function route(path: string): Route {
  const [first = "", second = "", ...more] = path.split("/").filter((part) => part !== "");
  if (first === "slip" && more.length === 1) return slip(second, more[0]!);
  if (more.length > 0) return { page: "nowhere" };
  if (first === "" && second === "") return { page: "lobby" };
  if (second === "" && (first === "login" || first === "edges" || first === "play"))
    return { page: first };
  if (second === "" && (first === "meters" || first === "buy-ins")) return { page: first };
  if (second === "") return { page: "nowhere" };
  const id = decoded(second);
  if (id === null) return { page: "nowhere" };
  switch (first) {
    case "setup":
      return { page: "setup", link: id };
    case "table":
    case "deal":
    case "sign":
    case "history":
      return { page: first, id };
    default:
      return { page: "nowhere" };
  }
}

/** The slip of a record: `/slip/TABLE/RECORD`. */
function slip(table: string, number: string): Route {
  const id = decoded(table);
  const record = /^[1-9]\d{0,14}$/.test(number) ? Number(number) : null;
  return id === null || record === null ? { page: "nowhere" } : { page: "slip", id, record };
}

/** Nothing where an address is written wrong. */
function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

class Router {
  url = $state.raw(new URL(location.href));
  route = $derived(route(this.url.pathname));

  constructor() {
    addEventListener("popstate", () => (this.url = new URL(location.href)));
    addEventListener("click", (event) => this.#follow(event));
  }

  /** Goes somewhere; the way back stays open. */
  go(to: string): void {
    history.pushState(null, "", to);
    this.url = new URL(location.href);
    scrollTo(0, 0);
  }

  /** Changes the address without a step in the history: filters, sliders. */
  replace(to: string): void {
    history.replaceState(null, "", to);
    this.url = new URL(location.href);
  }

  #follow(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element | null)?.closest?.("a");
    if (!link || link.origin !== location.origin || link.target || link.hasAttribute("download"))
      return;
    if (link.pathname.startsWith("/api/") || link.hash) return;
    event.preventDefault();
    this.go(link.href);
  }
}

export const router = new Router();
