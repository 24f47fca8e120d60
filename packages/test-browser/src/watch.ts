import type { Page } from "playwright-core"

/** What a page has done that it must not do. */
export interface Watched {
  /** Errors of scripts, warnings of the console, and what the content security policy has refused. */
  readonly errors: ReadonlyArray<string>
  /** The addresses of requests to other servers. They are refused. */
  readonly otherRequests: ReadonlyArray<string>
}

/**
 * Watches a page from now on.
 *
 * @param isExpected returns whether a message of the console is expected, for example of an answer 404 that a test causes
 */
export const watch = async (page: Page, origin: string, isExpected: (text: string) => boolean): Promise<Watched> => {
  const [errors, otherRequests]: [Array<string>, Array<string>] = [[], []]
  page.on("pageerror", (error) => errors.push(error.message))
  page.on("console", (message) => {
    const text = message.text()
    if (["error", "warning"].includes(message.type()) && !isExpected(text)) errors.push(text)
  })
  await page.route("**/*", (route) => {
    const url = route.request().url()
    if (url.startsWith(origin) || url.startsWith("data:") || url.startsWith("blob:")) return route.continue()
    otherRequests.push(url)
    return route.abort()
  })
  return { errors, otherRequests }
}
