import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { createClient, type FrontdeskClient } from "@frontdesk/client"
import { freePort } from "@frontdesk/provider-fakes/FreePort"
import { chromiumPath, type OpenBrowser, openBrowser, type Page, type Place } from "@frontdesk/test-browser/browser"
import { showPage, signInBy } from "@frontdesk/test-browser/showPage"
import { watch, type Watched } from "@frontdesk/test-browser/watch"
import { expect } from "vitest"
import { serve, type ServeOptions, type Server, type Settings } from "../support/launch.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"

/** An element of a page. */
export type Element = ReturnType<Page["locator"]>

/** Opens a browser. A step that cannot be done fails before its test does, and says which element it has waited for. */
export const openTestBrowser = async (place?: Place): Promise<OpenBrowser> => {
  const browser = await openBrowser(chromiumPath ?? "", place)
  browser.context.setDefaultTimeout(10_000)
  return browser
}

/** The dashboard of the demo account, on a server of its own and in a browser of its own. */
export interface Dashboard {
  readonly server: Server
  /** The folder of the server. */
  readonly folder: string
  /** The file of its database. */
  readonly database: string
  readonly context: OpenBrowser["context"]
  readonly page: Page
  /** What the page has done that it must not do. */
  readonly watched: Watched
  /** A client of the API with the key of the demo, which shows what an action of the page has changed. */
  readonly api: FrontdeskClient
  /** The sign-in link that the server has printed. */
  readonly link: string
  /** Opens a page by its path, and waits until every part of it has its data. */
  readonly open: (path: string) => Promise<void>
  readonly close: () => Promise<void>
}

/** How a dashboard is served and opened. */
export interface DashboardOptions extends ServeOptions {
  /** Where the person at the browser is. */
  readonly place?: Place
  /** What the browser may write to its console. It may always report the status 401, because the first page asks who is signed in. */
  readonly expected?: RegExp
}

/** Returns the settings of a server that knows the address at which others reach it, as mails and calendars need it. */
export const publicSettings = async (): Promise<Settings> => {
  const port = await freePort()
  return { FRONTDESK_PORT: String(port), FRONTDESK_PUBLIC_URL: `http://127.0.0.1:${port}` }
}

/** Serves the demo and opens a browser, in which no person is signed in. */
export const openDashboard = async (options: DashboardOptions = {}): Promise<Dashboard> => {
  const folder = temporaryFolder()
  const server = await serve(folder, {
    ...options,
    args: ["--demo"],
    // The server has to know its port, which is a part of the sign-in links that it makes.
    settings: {
      FRONTDESK_PORT: String(await freePort()),
      FRONTDESK_WEBHOOK_ALLOW_INSECURE: "true",
      ...options.settings
    }
  })
  const [, apiKey] = await server.wrote("stdout", /(fd_test_[\w-]+)/)
  const [, link = ""] = await server.wrote("stdout", /(http\S+dashboard\/sign-in\/\S+)/)
  const browser = await openTestBrowser(options.place)
  const page = await browser.context.newPage()
  return {
    server,
    folder,
    database: join(folder, "data/frontdesk.db"),
    context: browser.context,
    page,
    watched: await watch(
      page,
      server.url,
      (text) => text.includes("status of 401") || options.expected?.test(text) === true
    ),
    api: createClient({ baseUrl: server.url, apiKey }),
    link,
    open: (path) => showPage(page, `${server.url}/dashboard${path}`),
    close: async () => {
      await browser.close()
      await server.stop()
    }
  }
}

/** Serves the demo and opens a browser in which the owner is signed in. The console may report answers that reject what a form has. */
export const openSignedIn = async (options: DashboardOptions = {}): Promise<Dashboard> => {
  const dashboard = await openDashboard({ expected: /status of (400|403|409|422)/, ...options })
  await signInBy(dashboard.page, dashboard.link)
  return dashboard
}

/** Returns the sentence below a field that says what is wrong with its value. Waits until the field has one. */
export const problemAt = async (field: Element): Promise<string> => {
  await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true")
  const ids = (await field.getAttribute("aria-describedby"))?.split(" ") ?? []
  return (
    (await field
      .page()
      .locator(`[id="${ids.at(-1) ?? ""}"]`)
      .textContent()) ?? ""
  )
}

/** Waits until the page has no dialog. */
export const dialogClosed = (page: Page): Promise<void> => page.getByRole("dialog").waitFor({ state: "detached" })

/** Returns the rows of a table as the texts of their cells, without the row of the names. */
export const rowsOf = async (table: Element): Promise<ReadonlyArray<ReadonlyArray<string>>> => {
  // Read at once, because a page can change its rows at any time.
  const [, ...rows] = await table.getByRole("row").allInnerTexts()
  return rows.map((row) => row.split("\t").map((cell) => cell.trim()))
}

/** Does what makes the browser save a file. Returns the name and the text of the file. */
export const downloaded = async (
  page: Page,
  action: () => Promise<void>
): Promise<{ readonly name: string; readonly text: string }> => {
  const [download] = await Promise.all([page.waitForEvent("download"), action()])
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") }
}

/** Does what sends a request to the API. Returns the body of the request as JSON. */
export const sent = async (page: Page, method: string, path: string, action: () => Promise<void>): Promise<unknown> => {
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.method() === method && new URL(one.url()).pathname.endsWith(path)),
    action()
  ])
  return request.postDataJSON()
}
