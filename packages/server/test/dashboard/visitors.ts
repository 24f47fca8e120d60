import type { OpenBrowser, Page } from "@frontdesk/test-browser/browser"
import { pageShown } from "@frontdesk/test-browser/showPage"
import { type Watched, watch } from "@frontdesk/test-browser/watch"

/** A person with a browser window of their own. */
export interface Visitor {
  readonly page: Page
  readonly watched: Watched
}

/**
 * Opens a window without cookies. Requests to addresses outside of the dashboard are refused and recorded.
 *
 * @param expected what the browser may write to its console, because the test causes it. A page causes 401 before a person has signed in
 */
export const visit = async (
  browser: OpenBrowser,
  dashboard: string,
  expected: RegExp = /status of 401/
): Promise<Visitor> => {
  const context = await browser.newContext()
  // Shorter than the time of a test, so that a failure names what was awaited.
  context.setDefaultTimeout(20_000)
  const page = await context.newPage()
  return { page, watched: await watch(page, dashboard, (text) => expected.test(text)) }
}

/** Waits until the page with the title is shown, and each part of it has its data. */
export const shown = async (page: Page, title: string | RegExp): Promise<void> => {
  await page
    .getByRole("heading", { level: 1, name: title, ...(typeof title === "string" && { exact: true }) })
    .waitFor()
  await pageShown(page)
}
