import type { OpenBrowser, Page } from "@frontdesk/test-browser/browser"
import { signInBy } from "@frontdesk/test-browser/showPage"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { acme, askAs, fill, linkFor, other } from "./accounts.ts"
import { describeInBrowser } from "./describeInBrowser.ts"
import { type Mount, openServer } from "./mounts.ts"
import { openTestBrowser } from "./openDashboard.ts"
import { pages } from "./pages.ts"
import { shown, visit, type Visitor } from "./visitors.ts"

/** How an answer of the API is replaced: by another answer, or by none. */
type Failure = { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string } | "none"

const failureOf = (status: number, error: string) => ({
  status,
  body: JSON.stringify({ error, message: `The answer is ${error}` }),
  headers: { "content-type": "application/json", ...((status === 503 || status === 429) && { "retry-after": "1" }) }
})

const internal = failureOf(500, "internal_error")
const overloaded = failureOf(503, "overloaded")

const failures: Readonly<Record<string, Failure>> = {
  "an error of the server": internal,
  "a server that is overloaded": overloaded,
  "the rate limit": failureOf(429, "rate_limited"),
  "a missing permission": failureOf(403, "permission_denied"),
  "a page of a proxy": { status: 502, body: "<h1>Bad gateway</h1>", headers: { "content-type": "text/html" } },
  "a lost connection": "none"
}

/** The forms that create something: the page, the button that opens it, its fields, and the button that submits it. */
const forms = [
  ["/contacts", "Create a contact", { "First name": "Typed" }, "Create"],
  ["/calendar", "New event", { Title: "Typed", Notes: "Also typed" }, "Create"],
  ["/agents", "Create an agent", { Name: "Typed", "Assistant id": "asst_typed" }, "Create"],
  ["/variables", "Create a variable", { "Name in templates": "typed", "Name for people": "Typed" }, "Create"],
  ["/settings/people", "Invite a person", { Name: "Typed", "E-mail address": "typed@example.com" }, "Add"]
] as const

describeInBrowser("the dashboard with an API that is slow or fails", () => {
  let mount: Mount
  let browser: OpenBrowser
  let page: Page
  let visitor: Visitor

  const api = /\/api\/v1\//
  /** Everything but who is signed in, without which no page is shown. */
  const data = /\/api\/v1\/(?!caller$|account$)/

  /** Replaces answers of the API until {@link restore}. */
  const replace = (url: RegExp, failure: Failure, until: Promise<unknown> = Promise.resolve()) =>
    page.route(url, async (route) => {
      await until
      await (failure === "none" ? route.abort() : route.fulfill(failure))
    })
  const restore = async () => {
    await page.unroute(api)
    await page.unroute(data)
  }
  const open = (path: string) => page.goto(`${mount.dashboard}${path}`)
  const again = () => page.getByRole("button", { name: "Try again" })
  /** Presses every button that tries again. Some go as soon as others are pressed, so it is done at once. */
  const tryAgain = async () => {
    await expect.poll(() => page.getByText("Loading", { exact: true }).count()).toBe(0)
    await restore()
    await page.evaluate(`for (const button of document.querySelectorAll("[role=alert] button")) button.click()`)
    await expect.poll(() => page.getByRole("alert").count()).toBe(0)
  }
  const heading = () => page.getByRole("heading", { level: 1 }).boundingBox()

  beforeAll(async () => {
    mount = await openServer()
    await fill(mount.api, acme)
    browser = await openTestBrowser()
    visitor = await visit(browser, mount.dashboard, /status of [45]\d\d|ERR_FAILED|dynamically imported module/)
    ;({ page } = visitor)
    await signInBy(page, await linkFor(mount.api, acme, "owner"))
  })
  afterEach(restore)
  afterAll(async () => {
    await browser.close()
    await mount.close()
  })

  it.each(["an error of the server", "a lost connection"])(
    "shows %s in place of the dashboard, and tries again",
    async (name) => {
      await replace(api, failures[name] ?? "none")
      await open("/contacts")
      await page.getByRole("heading", { name: "Not available" }).waitFor()
      await restore()
      await again().click()
      await shown(page, "Contacts")
    }
  )

  it.each(Object.keys(failures))("shows %s in place of a list, and tries again", async (name) => {
    await replace(data, failures[name] ?? "none")
    await open("/contacts")
    await again().first().waitFor()
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Contacts")
    await tryAgain()
    await page.getByRole("table").getByText(acme.word, { exact: true }).waitFor()
  })

  it("says so when the code of a page cannot be loaded, and loads it again", async () => {
    const code = /AuditPage-/
    await page.route(code, (route) => route.abort())
    await open("/audit")
    await page.getByRole("heading", { name: "Not available" }).waitFor()
    await page.unroute(code)
    await page.getByRole("button", { name: "Load the page again" }).click()
    await shown(page, "Audit log")
  })

  it("asks again by itself when an overloaded server says when to come back", async () => {
    let refused = 0
    await page.route(data, async (route) => {
      refused += 1
      await (refused === 1 ? route.fulfill(overloaded) : route.fallback())
    })
    await open("/agents")
    await page.getByRole("table").getByText(`${acme.word} agent`).waitFor()
    expect(refused).toBeGreaterThan(1)
    expect(await page.getByRole("alert").count()).toBe(0)
  })

  it.each(pages)(
    "%s shows that it loads, then what has failed, and tries again, and its title stays",
    async (path, title) => {
      const answers = Promise.withResolvers<void>()
      await replace(data, internal, answers.promise)
      await open(path)
      await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor()
      await page.getByText("Loading", { exact: true }).first().waitFor({ state: "attached" })
      const before = await heading()
      answers.resolve()
      await again().first().waitFor()
      expect(await page.getByText("The answer is internal_error").count()).toBeGreaterThan(0)
      expect(await heading()).toEqual(before)
      await tryAgain()
      await shown(page, title)
      expect(await heading()).toEqual(before)
    }
  )

  it.each(forms)(
    "%s: %s keeps what was typed when the server fails, and then saves it",
    async (path, opener, fields, submit) => {
      await open(path)
      await page.getByRole("button", { name: opener, exact: true }).click()
      const dialog = page.getByRole("dialog")
      const field = (label: string) => dialog.getByLabel(label, { exact: true }).first()
      for (const [label, text] of Object.entries(fields)) await field(label).fill(text)
      if (path === "/calendar") await dialog.getByLabel(/^Only if the time is free/).uncheck()
      await replace(data, internal)
      await dialog.getByRole("button", { name: submit, exact: true }).click()
      await dialog.getByText("The answer is internal_error").waitFor()
      for (const [label, text] of Object.entries(fields)) expect(await field(label).inputValue()).toBe(text)
      await restore()
      await dialog.getByRole("button", { name: submit, exact: true }).click()
      await expect.poll(() => field(Object.keys(fields)[0] ?? "").count()).toBe(0)
      await expect.poll(() => page.content()).toContain(Object.values(fields)[0])
    }
  )

  describe("when the session ends", () => {
    const typed = "Typed before the end"
    const name = () => page.getByRole("dialog").getByLabel("First name")

    /** Types into a form, ends the session, and sends the form. */
    const typeAndEnd = async () => {
      await open("/contacts")
      await page.getByRole("button", { name: "Create a contact" }).click()
      await name().fill(typed)
      await askAs(mount.api, acme)("/sessions/delete", {})
      await page.getByRole("button", { name: "Create", exact: true }).click()
      await page.getByRole("heading", { name: "Not signed in" }).waitFor()
      expect(await page.getByRole("dialog").count()).toBe(0)
      expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1)
    }
    /** Signs in with the same browser, in another tab. */
    const signInBeside = async (link: string) => {
      const tab = await page.context().newPage()
      await signInBy(tab, link)
      await tab.close()
    }
    const goOn = () => page.getByRole("button", { name: "Go on" }).click()

    it("asks to sign in, and then shows the form as it was", async () => {
      await typeAndEnd()
      await goOn()
      await page.getByRole("heading", { name: "Not signed in" }).waitFor()
      await signInBeside(await linkFor(mount.api, acme, "owner"))
      await goOn()
      await page.getByRole("dialog").waitFor()
      expect(await name().inputValue()).toBe(typed)
      await page.getByRole("button", { name: "Create", exact: true }).click()
      await shown(page, typed)
    })

    it("shows nothing of it to another person who signs in", async () => {
      await typeAndEnd()
      await signInBeside(await linkFor(mount.api, other, "owner"))
      await goOn()
      await page.getByText(`${other.word} Clinic`).first().waitFor()
      await shown(page, "Contacts")
      expect(await page.getByRole("dialog").count()).toBe(0)
      expect(await page.content()).not.toContain(typed)
      expect(await page.content()).not.toContain(acme.word)
    })
  })

  it("causes no error of a script, and no request to another address", () => {
    expect(visitor.watched).toEqual({ errors: [], otherRequests: [] })
  })
})
