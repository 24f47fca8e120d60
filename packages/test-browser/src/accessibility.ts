import axe from "axe-core"
import type { Page } from "playwright-core"

/**
 * Returns what axe finds on a page against WCAG 2.2 A and AA and its own good practices: each rule with the elements that
 * break it.
 */
export const violationsOf = async (page: Page): Promise<ReadonlyArray<string>> => {
  // Evaluated by the browser itself, because the policy of the page forbids other scripts.
  await page.evaluate(axe.source)
  const violations: ReadonlyArray<axe.Result> = await page.evaluate(`axe.run().then(({ violations }) => violations)`)
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`)
}
