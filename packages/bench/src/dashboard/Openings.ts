import { files } from "@frontdesk/dashboard"
import { openBrowser, type Page, type Request } from "@frontdesk/test-browser/browser"
import { showPage, signInBy } from "@frontdesk/test-browser/showPage"
import * as Paints from "./Paints.ts"

/** A request of a page. */
export interface Sent {
  /** The method and the path. */
  readonly line: string
  /** The bytes that are sent. */
  readonly message: string
  /** The size of the body of the answer. */
  readonly answerBytes: number
}

/** What a browser requests when a person opens a page of the dashboard. */
export interface Opening {
  /** The path of the page below the dashboard. */
  readonly name: string
  readonly requests: ReadonlyArray<Sent>
}

/** What a browser has recorded. */
export interface Recording {
  readonly openings: ReadonlyArray<Opening>
  readonly paints: ReadonlyArray<Paints.Paint>
}

/** The path of the dashboard on the server. */
const mount = "/dashboard"

/** How many pages are opened at once. */
const tabs = 6

const pathOf = (request: Request): string => {
  const { pathname, search } = new URL(request.url())
  return pathname + search
}

const isApi = (request: Request): boolean => pathOf(request).startsWith(`${mount}/api/`)

const isFile = (request: Request): boolean =>
  pathOf(request) === mount || pathOf(request).startsWith(`${mount}/assets/`)

/** Throws for a request that was not answered with 200. */
const sentOf = async (request: Request): Promise<Sent> => {
  const line = `${request.method()} ${pathOf(request)}`
  const response = await request.response()
  if (response?.status() !== 200)
    throw new Error(`${line} was answered with ${response?.status() ?? request.failure()?.errorText}`)
  const headers = Object.entries(await request.allHeaders()).map((header) => header.join(": "))
  return {
    line,
    message: `${[`${line} HTTP/1.1`, ...headers].join("\r\n")}\r\n\r\n`,
    answerBytes: Number((await response.allHeaders())["content-length"])
  }
}

/** How often a page must be idle in turn without a further request. */
const idleTimes = 3

/** Waits until all requests of a page are answered, and the page is idle and makes no further ones. */
const settled = async (page: Page, requests: ReadonlyArray<Request>): Promise<void> => {
  let idle = 0
  while (idle < idleTimes) {
    const known = requests.length
    await Promise.all(requests.map(async (request) => (await request.response())?.finished()))
    await page.evaluate("new Promise((resolve) => requestIdleCallback(() => resolve(null)))")
    idle = requests.length === known ? idle + 1 : 0
  }
}

/** Returns those requests of a page that match, until the page makes no further ones. */
const recorded = async (
  page: Page,
  isCounted: (request: Request) => boolean,
  open: () => Promise<void>
): Promise<ReadonlyArray<Sent>> => {
  const requests: Array<Request> = []
  page.on("request", (request) => requests.push(request))
  await open()
  await settled(page, requests)
  return Promise.all(requests.filter(isCounted).map(sentOf))
}

/** The paths of all pages. */
const paths: ReadonlyArray<string> = ["/", ...files().paths]

/**
 * Opens every page of the dashboard in Chromium, and returns the requests of each to the API. The first ones returned are what a
 * browser loads at its first visit: the HTML with its scripts and styles. Then times how long some pages take.
 *
 * @param link a sign-in link of the operator, who sees every page
 * @param deliveryId a delivery of the first webhook. Other paths that name a record have the first one
 * @param times how often each page is opened for its time
 */
export const record = async (
  executablePath: string,
  url: string,
  link: string,
  deliveryId: string,
  times: number
): Promise<Recording> => {
  const browser = await openBrowser(executablePath)
  const { close, context } = browser
  try {
    const first = await context.newPage()
    const openings: Array<Opening> = [
      { name: "the files of the first page", requests: await recorded(first, isFile, () => signInBy(first, link)) }
    ]
    const opened = async (path: string): Promise<Opening> => {
      const page = await context.newPage()
      const address = path.replace(":id", "1").replace(":delivery", deliveryId)
      const requests = await recorded(page, isApi, () => showPage(page, `${url}${mount}${address}`))
      await page.close()
      return { name: path, requests }
    }
    for (let from = 0; from < paths.length; from += tabs) {
      openings.push(...(await Promise.all(paths.slice(from, from + tabs).map(opened))))
    }
    return { openings, paints: await Paints.measure(browser, `${url}${mount}`, times) }
  } finally {
    await close()
  }
}
