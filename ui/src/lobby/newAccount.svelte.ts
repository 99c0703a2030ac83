// The form of a new account: each begins as the first did, so that the roles of one person are not
// given to the next.

import type { MakeAccount, Role } from "$wire";

/** The roles of a new account, unless others are ticked for it. */
const USUAL: readonly Role[] = ["player"];

export class NewAccount {
  name = $state("");
  tableName = $state("");
  password = $state("");
  roles = $state<Role[]>([...USUAL]);

  /** What is sent. */
  get account(): MakeAccount {
    const { name, tableName, password, roles } = this;
    return { name, table_name: tableName || null, password, roles: [...roles] };
  }

  /** The account is made: the next one begins. */
  next(): void {
    this.name = this.tableName = this.password = "";
    this.roles = [...USUAL];
  }
}
