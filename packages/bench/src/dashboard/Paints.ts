import type { OpenBrowser } from "@frontdesk/test-browser/browser"
import { showPage } from "@frontdesk/test-browser/showPage"

/** How long Chromium took to show a page, in milliseconds since the navigation. One figure for each time it was opened. */
export interface Paint {
  /** The path of the page below the dashboard. */
  readonly name: string
  /** Until it showed anything (first contentful paint). */
  readonly first: ReadonlyArray<number>
  /** Until every part of it had its data. */
  readonly complete: ReadonlyArray<number>
}

/** The pages that are timed: the one after signing in, and one with a long list. */
const names = ["/", "/calls"] as const

const paintedAt = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN"

/**
 * Opens pages of the dashboard some times each, in turn, and returns how long each took. Each time the browser has no file of
 * them yet.
 *
 * @param dashboard the address of the dashboard, in which the person of the browser is signed in
 */
export const measure = async (
  { context, newContext }: OpenBrowser,
  dashboard: string,
  times: number
): Promise<ReadonlyArray<Paint>> => {
  const cookies = await context.cookies()
  const open = async (name: string): Promise<readonly [first: number, complete: number]> => {
    const fresh = await newContext()
    try {
      await fresh.addCookies(cookies)
      const page = await fresh.newPage()
      await showPage(page, `${dashboard}${name}`)
      const complete = Number(await page.evaluate("performance.now()"))
      return [Number(await page.evaluate(paintedAt)), complete]
    } finally {
      await fresh.close()
    }
  }
  const paints = names.map((name) => ({ name, first: new Array<number>(), complete: new Array<number>() }))
  for (let time = 0; time < times; time++) {
    for (const { complete, first, name } of paints) {
      const [painted, completed] = await open(name)
      first.push(painted)
      complete.push(completed)
    }
  }
  return paints
}
