// A component as it first shows, without a browser: enough to test what it says.

import type { Component, ComponentProps } from "svelte";
import { render } from "svelte/server";

/** Its HTML, without the comments that Svelte leaves in it. */
export function html<Props extends Record<string, unknown>>(
  component: Component<Props>,
  props: ComponentProps<Component<Props>>,
): string {
  return render(component as Component, { props }).body.replace(/<!--.*?-->/gs, "");
}

/** What a reader sees of it. */
export function text<Props extends Record<string, unknown>>(
  component: Component<Props>,
  props: ComponentProps<Component<Props>>,
): string {
  return html(component, props)
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&amp;", "&")
    .replaceAll("&lt;", "<")
    .replace(/\s+/g, " ")
    .trim();
}
