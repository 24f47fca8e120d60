import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { BasePath } from "@frontdesk/core/values/PublicUrl"
import * as FrontdeskHttp from "@frontdesk/http/FrontdeskHttp"
import { openApi } from "@frontdesk/http/openapi/Documentation"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as http from "node:http"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { accountWithKey, services } from "../world.ts"
import { chromiumPath, openBrowser } from "./browser.ts"

const key = "fd_test_docs_page_0123456789abcdefghijklmnopqr"

const serverUnder = (basePath: string) =>
  FrontdeskHttp.layerServe().pipe(
    Layer.provideMerge(NodeHttpServer.layer(() => http.createServer(), { port: 0, host: "127.0.0.1" })),
    Layer.provideMerge(services()),
    Layer.provide(Layer.succeed(BasePath, basePath))
  )

/** Where the API is, and under which address its page is opened. */
const places = [
  ["at the root", "", "/docs"],
  ["under a path", "/voice", "/voice/docs/"]
] as const

const prepare = Effect.gen(function* () {
  yield* accountWithKey(key)
  return HttpServer.formatAddress((yield* HttpServer.HttpServer).address)
})

const reason = chromiumPath === undefined ? " (skipped: no Chromium is found; FRONTDESK_TEST_CHROMIUM names one)" : ""

describe.skipIf(chromiumPath === undefined).each(places)(
  `the documentation page in a browser, %s${reason}`,
  (_place, basePath, path) => {
    const runtime = ManagedRuntime.make(serverUnder(basePath))
    /** Requests to anywhere but the server; each is refused. */
    const elsewhere: Array<string> = []
    const complaints: Array<string> = []
    let closeBrowser = () => Promise.resolve()
    let page: Page

    beforeAll(async () => {
      const base = await runtime.runPromise(prepare)
      const browser = await openBrowser(chromiumPath ?? "")
      closeBrowser = browser.close
      await browser.context.route(
        (url) => url.origin !== base,
        (route) => {
          elsewhere.push(route.request().url())
          return route.abort()
        }
      )
      page = await browser.context.newPage()
      page.on("console", (message) => {
        if (message.type() === "error") complaints.push(message.text())
      })
      page.on("pageerror", (error) => complaints.push(String(error)))
      await page.goto(base + path)
      await page.getByRole("heading", { name: "Frontdesk", level: 1 }).waitFor()
    })
    afterAll(async () => {
      await closeBrowser()
      await runtime.dispose()
    })

    it("shows the path of every operation in its group, and its title when the group is opened", async () => {
      await page.getByRole("button", { name: "Open Group Contacts" }).click()
      await page.getByRole("heading", { name: "Delete a contact" }).waitFor()
      const text = await page.locator("body").innerText()
      const paths = Object.keys(openApi().paths)
      expect(paths.length).toBeGreaterThan(25)
      const titles = ["List contacts", "Create a contact", "Get a contact", "Replace a contact", "Change a contact"]
      expect([...paths, ...titles].filter((part) => !text.includes(part))).toEqual([])
    })

    it("sends a request that is tried on the page, with the key, to the server itself", async () => {
      await page.getByPlaceholder("Token").first().fill(key)
      await page.getByRole("button", { name: "Test Request (get /api/v1/agents)" }).click()
      const answered = page.waitForResponse((response) => response.url().endsWith(`${basePath}/api/v1/agents`))
      await page.getByRole("button", { name: /^Send/ }).first().click()
      const response = await answered
      expect([response.status(), await response.json()]).toEqual([200, { agents: [] }])
    })

    it("asks nobody else for anything, and has no errors", () => {
      expect([elsewhere, complaints]).toEqual([[], []])
    })
  }
)
