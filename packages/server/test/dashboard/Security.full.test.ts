import type { OpenBrowser, Page } from "@frontdesk/test-browser/browser"
import { signInBy } from "@frontdesk/test-browser/showPage"
import { once } from "node:events"
import { createServer } from "node:http"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { provisionedFolder, serve, type Server } from "../support/inProcess.ts"
import { acme, askAs, document, fill, linkFor } from "./accounts.ts"
import { describeInBrowser } from "./describeInBrowser.ts"
import { settings } from "./mounts.ts"
import { openTestBrowser } from "./openDashboard.ts"
import { pages } from "./pages.ts"
import { shown, visit } from "./visitors.ts"

describeInBrowser("the dashboard against other sites, and its secrets", () => {
  let server: Server
  let browser: OpenBrowser
  let page: Page
  let dashboard: string
  let records: ReadonlyArray<string>
  /** A page of an attacker, at another port of the same host. So a browser sends the cookie of the dashboard along. */
  const evil = createServer((_, response) => response.setHeader("content-type", "text/html").end("<h1>Evil</h1>"))
  let evilPort: number

  beforeAll(async () => {
    evil.listen(0)
    await once(evil, "listening")
    const address = evil.address()
    evilPort = typeof address === "object" && address !== null ? address.port : 0
    server = await serve(await provisionedFolder(document), {
      settings: { ...settings, FRONTDESK_LOG_LEVEL: "trace", FRONTDESK_WEBHOOK_ALLOW_INSECURE: "true" }
    })
    dashboard = `${server.url}/dashboard`
    records = await fill(server.url, acme)
    browser = await openTestBrowser()
    ;({ page } = await visit(browser, dashboard))
    await signInBy(page, await linkFor(server.url, acme, "owner"))
  })
  afterAll(async () => {
    await browser.close()
    evil.closeAllConnections()
    evil.close()
    await server.stop()
  })

  // From 127.0.0.1 another port is the same site, so the browser sends the cookie. localhost is another site.
  describe.each(["127.0.0.1", "localhost"])("a page at another port of %s", (host) => {
    let attacker: Page
    beforeAll(async () => {
      attacker = await page.context().newPage()
      await attacker.goto(`http://${host}:${evilPort}/`)
    })
    afterAll(() => attacker.close())

    /** Sends a request from the page of the attacker, and returns its answer. */
    const attack = async (url: string, script: string) => {
      const [answer] = await Promise.all([
        attacker.waitForResponse((response) => response.url() === url && response.request().method() === "POST"),
        attacker.evaluate(script)
      ])
      return answer
    }
    const byForm = async (url: string) => {
      const answer = await attack(
        url,
        `(() => {
          const form = Object.assign(document.createElement("form"), { method: "post", enctype: "text/plain", action: ${JSON.stringify(url)} })
          form.append(Object.assign(document.createElement("input"), { name: '{"first_name":"Evil","company":"', value: '"}' }))
          document.body.append(form)
          form.submit()
        })()`
      )
      // The answer takes the place of the page.
      await attacker.waitForURL(url)
      await attacker.goto(`http://${host}:${evilPort}/`)
      const { cookie = "" } = await answer.request().allHeaders()
      expect(/fd_[0-9a-f]{16}=/.test(cookie)).toBe(host === "127.0.0.1")
      return answer.status()
    }
    const byFetch = async (url: string) => {
      const answer = await attack(
        url,
        `void fetch(${JSON.stringify(url)}, { method: "POST", mode: "no-cors", credentials: "include", body: '{"first_name":"Evil"}' }).catch(() => {})`
      )
      return answer.status()
    }

    it("cannot change anything, sign in or sign out, with a form or a script", async () => {
      const link = await linkFor(server.url, acme, "viewer")
      for (const send of [byForm, byFetch])
        for (const url of [
          `${dashboard}/api/v1/contacts/create`,
          `${dashboard}/sign-out`,
          `${dashboard}/sign-out/everywhere`,
          link
        ])
          expect([url, await send(url)]).toEqual([url, 403])
      const { contacts } = await askAs(server.url, acme)("/contacts")
      expect(JSON.stringify(contacts)).not.toContain("Evil")
      // The session lives on, and the link was not used.
      await page.goto(dashboard)
      await shown(page, "Overview")
      const { page: other } = await visit(browser, dashboard)
      await signInBy(other, link)
      await other.context().close()
    })

    it("cannot show the dashboard in a frame", async () => {
      const refusal = attacker.waitForEvent("console", (message) => message.text().includes("frame-ancestors"))
      await attacker.evaluate(
        `document.body.append(Object.assign(document.createElement("iframe"), { src: ${JSON.stringify(dashboard)} }))`
      )
      await refusal
      expect(attacker.frames().map((frame) => frame.url())).not.toContain(dashboard)
      expect(await attacker.locator("iframe").contentFrame().getByRole("heading").count()).toBe(0)
    })
  })

  it("the values of keys, webhooks and links are in one answer, and in no line that the server writes", async () => {
    const answers: Array<string> = []
    await page.route(/\/api\/v1\//, async (route) => {
      const response = await route.fetch()
      answers.push(await response.text())
      await route.fulfill({ response })
    })
    const secrets: Array<string> = []
    /** Submits the form that is open, and remembers the secret that is shown then. */
    const secretOf = async (button: string, pattern: RegExp) => {
      await page.getByRole("dialog").getByRole("button", { name: button, exact: true }).click()
      const value = (await page.getByRole("dialog").locator("code", { hasText: pattern }).textContent()) ?? ""
      secrets.push(pattern.exec(value)?.[1] ?? "")
      await page
        .getByRole("dialog")
        .getByRole("button", { name: /^(?:I have stored it|Close)$/ })
        .click()
    }
    const open = async (path: string, title: string | RegExp, button: string) => {
      await page.goto(`${dashboard}${path}`)
      await shown(page, title)
      await page.getByRole("button", { name: button, exact: true }).first().click()
    }

    await open("/settings/keys", "API keys", "Create an API key")
    await page.getByLabel("Name").fill("Reports")
    await page.getByLabel("Everything I may").check()
    await secretOf("Create", /^fd_live_([\w-]{20,})$/)
    await page
      .getByRole("row", { name: /Reports/ })
      .getByRole("button", { name: /^Replace/ })
      .click()
    await secretOf("Replace", /^fd_live_([\w-]{20,})$/)
    await open("/webhooks", "Webhooks", "Create a webhook")
    await page.getByLabel("Name").fill("CRM")
    await page.getByLabel("URL").fill("http://127.0.0.1:1/crm")
    await secretOf("Create", /^whsec_(\S{20,})$/)
    await open(records.find((path) => path.startsWith("/webhooks")) ?? "", /hook$/, "Replace the secret")
    await secretOf("Replace", /^whsec_(\S{20,})$/)
    await open("/settings/people", "People", "Create a sign-in link")
    await secretOf("Create", /^http\S+\/sign-in\/([\w-]{43})$/)

    for (const path of [...pages.map(([path]) => path), ...records]) {
      await page.goto(`${dashboard}${path}`)
      await shown(page, /./)
      const text = await page.content()
      for (const secret of secrets) expect(text).not.toContain(secret)
    }
    expect(new Set(secrets).size).toBe(5)
    const counts = secrets.map((secret) => answers.filter((answer) => answer.includes(secret)).length)
    expect(counts).toEqual([1, 1, 1, 1, 1])

    const { stderr, stdout } = await server.stop()
    // The log has the requests, at its lowest level.
    expect(stderr).toContain('"operation":"apiKeys.create"')
    for (const secret of [...secrets, acme.key]) expect([stdout, stderr].join("\n")).not.toContain(secret)
  })
})
