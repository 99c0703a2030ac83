import { expect, test } from "vitest";
import { NewAccount } from "./newAccount.svelte.ts";

test("the roles of one account are not given to the next", () => {
  const form = new NewAccount();
  const untouched = form.account;
  expect(untouched.roles).toEqual(["player"]);
  Object.assign(form, { name: "ann", tableName: "Ann", password: "a long password" });
  form.roles = ["supervisor", "administrator"];
  expect(form.account).toEqual({
    name: "ann",
    table_name: "Ann",
    password: "a long password",
    roles: ["supervisor", "administrator"],
  });
  form.next();
  expect(form.account).toEqual(untouched);
  // Nor does a tick of the second change what the third begins with.
  form.roles.push("dealer");
  form.next();
  expect(form.account).toEqual(untouched);
});
