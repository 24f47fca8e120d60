import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { BasePath } from "@frontdesk/core/values/BasePath"
import * as FrontdeskHttp from "@frontdesk/http/FrontdeskHttp"
import { openApi } from "@frontdesk/http/openapi/Documentation"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as http from "node:http"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { accountWithKey, services } from "../testApi.ts"
import { chromiumPath, openBrowser } from "@frontdesk/test-browser/browser"

const key = "fd_test_docs_page_0123456789abcdefghijklmnopqr"

/** A server whose API is below a base path. */
const serverBelow = (basePath: string) =>
  FrontdeskHttp.layerServe().pipe(
    Layer.provideMerge(NodeHttpServer.layer(() => http.createServer(), { port: 0, host: "127.0.0.1" })),
    Layer.provideMerge(services()),
    Layer.provide(Layer.succeed(BasePath, basePath))
  )

const prepare = Effect.gen(function* () {
  yield* accountWithKey(key)
  return HttpServer.formatAddress((yield* HttpServer.HttpServer).address)
})

const reason = chromiumPath === undefined ? " (skipped: Chromium is not found. FRONTDESK_TEST_CHROMIUM names it)" : ""

describe.skipIf(chromiumPath === undefined)(`the documentation page below a base path, in a browser${reason}`, () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>
  beforeAll(async () => {
    browser = await openBrowser(chromiumPath ?? "")
  })
  afterAll(() => browser.close())

  /** Opens the page of a server. `otherRequests` has requests to other servers, which the browser refuses. */
  const openPage = async (basePath: string, path: string) => {
    const runtime = ManagedRuntime.make(serverBelow(basePath))
    const otherRequests: Array<string> = []
    const errors: Array<string> = []
    const base = await runtime.runPromise(prepare)
    const page = await browser.context.newPage()
    await page.route(
      (url) => url.origin !== base,
      (route) => {
        otherRequests.push(route.request().url())
        return route.abort()
      }
    )
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text())
    })
    page.on("pageerror", (error) => errors.push(String(error)))
    await page.goto(base + path)
    await page.getByRole("heading", { name: "Frontdesk", level: 1 }).waitFor()

    /** Tries an operation as a reader of the page does, and returns the answer of the server. */
    const tryRequest = async () => {
      await page.getByPlaceholder("Token").first().fill(key)
      await page.getByRole("button", { name: "Test Request (get /api/v1/agents)" }).click()
      const answered = page.waitForResponse((response) => response.url().endsWith(`${basePath}/api/v1/agents`))
      await page.getByRole("button", { name: /^Send/ }).first().click()
      const response = await answered
      const body: unknown = await response.json()
      return [response.status(), body]
    }
    const close = async () => {
      await page.close()
      await runtime.dispose()
    }
    return { page, otherRequests, errors, tryRequest, [Symbol.asyncDispose]: close }
  }

  it("shows every operation, sends tried requests to this server, and makes no other requests", async () => {
    await using opened = await openPage("/voice", "/voice/docs/")
    const { page } = opened
    await page.getByRole("button", { name: "Open Group Contacts" }).click()
    await page.getByRole("heading", { name: "Delete a contact" }).waitFor()
    const text = await page.locator("body").innerText()
    const paths = Object.keys(openApi().paths)
    expect(paths.length).toBeGreaterThan(25)
    const titles = ["List contacts", "Create a contact", "Get a contact", "Replace a contact", "Change a contact"]
    expect([...paths, ...titles].filter((part) => !text.includes(part))).toEqual([])

    expect(await opened.tryRequest()).toEqual([200, { agents: [] }])
    expect([opened.otherRequests, opened.errors]).toEqual([[], []])
  })
})
