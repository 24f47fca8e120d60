import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Api } from "@frontdesk/http/Api"
import * as FrontdeskHttp from "@frontdesk/http/FrontdeskHttp"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as http from "node:http"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { services } from "../world.ts"
import { chromiumPath, openBrowser } from "./browser.ts"

const server = FrontdeskHttp.layerServe().pipe(
  Layer.provideMerge(NodeHttpServer.layer(() => http.createServer(), { port: 0, host: "127.0.0.1" })),
  Layer.provideMerge(services())
)

const missing = "skipped: no Chromium found, FRONTDESK_TEST_CHROMIUM can name one"

describe.skipIf(chromiumPath === undefined)(
  `the documentation page in a browser${chromiumPath === undefined ? ` (${missing})` : ""}`,
  () => {
    const runtime = ManagedRuntime.make(server)
    /** Requests to anywhere but the server; each is refused. */
    const elsewhere: Array<string> = []
    const complaints: Array<string> = []
    let closeBrowser = () => Promise.resolve()
    let page: Page

    beforeAll(async () => {
      const base = await runtime.runPromise(
        Effect.map(HttpServer.HttpServer, ({ address }) => HttpServer.formatAddress(address))
      )
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
      await page.goto(`${base}/docs`)
      await page.getByRole("heading", { name: "Frontdesk", level: 1 }).waitFor()
    })
    afterAll(async () => {
      await closeBrowser()
      await runtime.dispose()
    })

    it("x", async () => {
      await page.waitForTimeout(3000)
      await page.screenshot({ path: "/tmp/D/docs.png" })
      await page.screenshot({ path: "/tmp/D/docs-full.png", fullPage: true })
      console.log((await page.locator("body").innerText()).slice(0, 6000))
      console.log(elsewhere, complaints, Context, HttpApi, OpenApi, Api)
    })
  }
)
