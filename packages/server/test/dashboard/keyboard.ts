import type { Locator, Page } from "@frontdesk/test-browser/browser"

/** What has the focus. */
interface Focus {
  /** Whether a person sees that it has the focus. */
  readonly isVisible: boolean
  readonly html: string
}

/** Evaluated by the browser. */
const focus = `(() => {
  const focused = document.activeElement
  const { outlineStyle, outlineWidth } = getComputedStyle(focused)
  const { height, width } = focused.getBoundingClientRect()
  const isOutlined = outlineStyle !== "none" && parseFloat(outlineWidth) >= 1 && height > 1 && width > 1
  // The browser itself marks the part of a date or time that has the focus.
  const isMarked = focused === document.body || focused.matches("[type=date], [type=time], [type=datetime-local]")
  return { isVisible: isMarked || isOutlined, html: focused.outerHTML.slice(0, 160) }
})()`

/** The maximum number of stops on the way to an element. */
const maxStops = 100

/** Returns whether an element has the focus. */
export const hasFocus = async (page: Page, target: Locator): Promise<boolean> =>
  (await target.and(page.locator(":focus")).count()) === 1

/**
 * Presses Tab, or another key, until an element has the focus. Throws when a stop on the way does not show that it has the focus, and
 * when the element is not reached.
 */
export const tabTo = async (page: Page, target: Locator, key = "Tab"): Promise<void> => {
  await target.waitFor({ state: "attached" })
  const stops: Array<string> = []
  while (stops.length < maxStops) {
    await page.keyboard.press(key)
    const { html, isVisible }: Focus = await page.evaluate(focus)
    if (!isVisible) throw new Error(`The focus cannot be seen: ${html}`)
    if (await hasFocus(page, target)) return
    stops.push(html)
  }
  throw new Error(`${String(target)} was not reached. The last stops were ${stops.slice(-5).join("\n")}`)
}
