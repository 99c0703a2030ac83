// A file to take away. Asked for like everything else, so that a refusal is read in words and
// not saved as a file.

import { Refused } from "../lib/api.ts";
import type { Problem } from "$wire";

export async function download(path: string, name: string): Promise<void> {
  const response = await fetch(path);
  if (!response.ok) throw new Refused((await response.json()) as Problem);
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
