import type { OpenBrowser } from "@frontdesk/test-browser/browser"
import { showPage } from "@frontdesk/test-browser/showPage"

/** How long Chromium took to show a page, in milliseconds since the navigation. One figure for each time it was opened. */
export interface Paint {
  /** The path of the page below the dashboard, or what is opened in place of a page. */
  readonly name: string
  /** Until it showed anything (first contentful paint). */
  readonly first: ReadonlyArray<number>
  /** Until every part of it had its data. */
  readonly complete: ReadonlyArray<number>
}

/** A page without scripts and requests. Its times are those of Chromium itself. */
const bare = "data:text/html,<title>Bare</title><h1>Bare</h1>"

/** The pages of the dashboard that are timed: the one after signing in, and one with a long list. */
const paths = ["/", "/calls"]

const paintedAt = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN"

/**
 * Opens pages of the dashboard some times each, in turn, and returns how long each took. Each time the browser has no file of
 * them yet. The first one returned is the baseline, a bare page.
 *
 * @param dashboard the address of the dashboard, in which the person of the browser is signed in
 */
export const measure = async (
  { context, newContext }: OpenBrowser,
  dashboard: string,
  times: number
): Promise<ReadonlyArray<Paint>> => {
  const cookies = await context.cookies()
  const open = async (address: string): Promise<readonly [first: number, complete: number]> => {
    const fresh = await newContext()
    try {
      await fresh.addCookies(cookies)
      const page = await fresh.newPage()
      await showPage(page, address)
      const complete = Number(await page.evaluate("performance.now()"))
      return [Number(await page.evaluate(paintedAt)), complete]
    } finally {
      await fresh.close()
    }
  }
  const pages = [
    { name: "a bare page", address: bare },
    ...paths.map((path) => ({ name: path, address: `${dashboard}${path}` }))
  ]
  const paints = pages.map((page) => ({ ...page, first: new Array<number>(), complete: new Array<number>() }))
  for (let time = 0; time < times; time++) {
    for (const { address, complete, first } of paints) {
      const [painted, completed] = await open(address)
      first.push(painted)
      complete.push(completed)
    }
  }
  return paints
}
