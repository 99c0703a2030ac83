// Who is at this browser: a guest, somebody with an account, or nobody yet.

import type { Me, Role } from "$wire";
import { Refused, get, patch, post } from "./api.ts";
import { prove } from "./inUse.ts";

class Session {
  me = $state.raw<Me | null>(null);
  /** Whether the server has been asked. */
  known = $state(false);

  /** The question who we are, once it has been asked. */
  #looking: Promise<void> = Promise.resolve();

  /** Asks the server who we are. */
  look(): Promise<void> {
    this.#looking = this.#look();
    return this.#looking;
  }

  /** Waits until the server has answered, or cannot. */
  async settled(): Promise<void> {
    await this.#looking.catch(() => undefined);
  }

  async #look(): Promise<void> {
    try {
      this.me = await get<Me>("/api/me");
    } catch (error) {
      if (!(error instanceof Refused) || error.problem.status !== 401) throw error;
      this.me = null;
    } finally {
      this.known = true;
    }
  }

  async playAs(name: string): Promise<void> {
    this.me = await post<Me>("/api/guest", { name });
  }

  async login(name: string, password: string): Promise<void> {
    const me = await post<Me>("/api/login", { name, password });
    this.me = me;
    prove(me.person);
  }

  async redeem(link: string, name: string, password: string, table_name: string): Promise<void> {
    this.me = await post<Me>("/api/setup", { link, name, password, table_name });
  }

  /** Has another name at tables. */
  async rename(table_name: string): Promise<void> {
    this.me = await patch<Me>("/api/me", { table_name });
  }

  async logout(): Promise<void> {
    await post("/api/logout", {});
    this.me = null;
  }

  is(...roles: Role[]): boolean {
    return this.me?.roles.some((role) => roles.includes(role)) ?? false;
  }

  /** Whether they may stand behind the table. */
  get isCrew(): boolean {
    return this.is("dealer", "supervisor");
  }
}

export const session = new Session();
