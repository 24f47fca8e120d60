import type { OpenBrowser, Page } from "@frontdesk/test-browser/browser"
import { afterAll, beforeAll, expect, it } from "vitest"
import { acme, askAs, fill, linkFor } from "./accounts.ts"
import { describeInBrowser } from "./describeInBrowser.ts"
import { hasFocus, tabTo } from "./keyboard.ts"
import { type Mount, openServer } from "./mounts.ts"
import { openTestBrowser } from "./openDashboard.ts"
import { navigation } from "./pages.ts"
import { shown, visit, type Visitor } from "./visitors.ts"

/** The buttons that open a dialog, by their page. */
const openers = [
  ["/calls", "Start a call"],
  ["/calendar", "New event"],
  ["/contacts", "Create a contact"],
  ["/contacts", "Import"],
  ["/contacts", "Export"],
  ["/agents", "Create an agent"],
  ["/variables", "Create a variable"],
  ["/webhooks", "Create a webhook"],
  ["/settings/keys", "Create an API key"],
  ["/settings/people", "Invite a person"],
  ["/settings/people", "Create a sign-in link"]
] as const

describeInBrowser("the dashboard with the keyboard alone", () => {
  let mount: Mount
  let browser: OpenBrowser
  let page: Page
  let visitor: Visitor

  const open = async (path: string, title: string | RegExp = /./) => {
    await page.goto(`${mount.dashboard}${path}`)
    await shown(page, title)
  }
  const button = (name: string) => page.getByRole("button", { name, exact: true })
  const content = () => page.locator("main")

  beforeAll(async () => {
    mount = await openServer()
    await fill(mount.api, acme)
    const ask = askAs(mount.api, acme)
    for (let number = 10; number < 40; number += 1) await ask("/contacts/create", { first_name: `Contact ${number}` })
    await ask("/calendar/events/create", {
      title: "Movable",
      start_time: "2030-03-05T15:00:00Z",
      end_time: "2030-03-05T15:30:00Z"
    })
    browser = await openTestBrowser()
    visitor = await visit(browser, mount.dashboard)
    ;({ page } = visitor)
    await page.setViewportSize({ width: 1440, height: 900 })
  })
  afterAll(async () => {
    await browser.close()
    await mount.close()
  })

  it("signs a person in", async () => {
    await page.goto(await linkFor(mount.api, acme, "owner"))
    await tabTo(page, button("Sign in"))
    await page.keyboard.press("Enter")
    await shown(page, "Overview")
  })

  it("skips the navigation, on the page that is open", async () => {
    await open("/calls", "Calls")
    await tabTo(page, page.getByRole("link", { name: "Skip to the content" }))
    await page.keyboard.press("Enter")
    expect(await hasFocus(page, content())).toBe(true)
    expect(page.url()).toBe(`${mount.dashboard}/calls`)
    await page.keyboard.press("Tab")
    expect(await hasFocus(page, button("Start a call"))).toBe(true)
  })

  it("reaches every page by the navigation, and goes on in its content", async () => {
    await open("/audit", "Audit log")
    for (const [index, [, title]] of navigation.entries()) {
      const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: title, exact: true })
      // The navigation is before the content of the page that the previous link has opened.
      await tabTo(page, link, index === 0 ? "Tab" : "Shift+Tab")
      await page.keyboard.press("Enter")
      await shown(page, title)
      await expect.poll(() => hasFocus(page, content())).toBe(true)
    }
  })

  it.each(openers)("on %s, opens %s with Enter, and Escape returns to the button", async (path, name) => {
    await open(path)
    await tabTo(page, content().getByRole("button", { name, exact: true }).first())
    await page.keyboard.press("Enter")
    await page.getByRole("dialog").waitFor()
    expect(await page.evaluate(`document.activeElement.closest("dialog") !== null`)).toBe(true)
    await page.keyboard.press("Escape")
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0)
    expect(await hasFocus(page, content().getByRole("button", { name, exact: true }).first())).toBe(true)
  })

  it("fills a form and submits it, and returns to the button that opened it", async () => {
    await open("/variables", "Variables")
    await tabTo(page, button("Create a variable"))
    await page.keyboard.press("Enter")
    await tabTo(page, page.getByLabel("Name in templates"))
    await page.keyboard.type("by_keyboard")
    await tabTo(page, page.getByLabel("Name for people"))
    await page.keyboard.type("By keyboard")
    await page.keyboard.press("Enter")
    await page.getByRole("table").getByText("By keyboard").waitFor()
    await expect.poll(() => hasFocus(page, button("Create a variable"))).toBe(true)
  })

  it("turns the pages of a table, also back from the last one", async () => {
    await open("/contacts", "Contacts")
    await tabTo(page, button("Next"))
    await page.keyboard.press("Enter")
    await page.getByText("page 2 of 2").waitFor()
    await tabTo(page, button("Previous"), "Shift+Tab")
    await page.keyboard.press("Enter")
    await page.getByText("page 1 of 2").waitFor()
  })

  it("moves a calendar event with the form", async () => {
    await open("/calendar?date=2030-03-05", "Calendar")
    const event = page.getByRole("button", { name: /Movable.*Tue/ })
    await tabTo(page, event)
    await page.keyboard.press("Enter")
    await page.getByRole("dialog").getByRole("heading", { name: "Movable" }).waitFor()
    await tabTo(page, button("Change"))
    await page.keyboard.press("Enter")
    await tabTo(page, page.getByLabel("Start", { exact: true }))
    // The field begins with the month. The day comes after it.
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowUp")
    await tabTo(page, page.getByLabel(/^Only if the time is free/))
    await page.keyboard.press("Space")
    await tabTo(page, button("Save"))
    await page.keyboard.press("Enter")
    await page.getByRole("dialog").getByText(/^Wed/).waitFor()
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: /Movable.*Wed/ }).waitFor()
  })

  it("opens the menu of a narrow screen, and Escape returns to it", async () => {
    await page.setViewportSize({ width: 320, height: 640 })
    await open("/calls", "Calls")
    const menu = page.locator("summary", { hasText: "Menu" })
    const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Contacts" })
    await tabTo(page, menu)
    await page.keyboard.press("Enter")
    await tabTo(page, link)
    await page.keyboard.press("Escape")
    expect([await hasFocus(page, menu), await link.isVisible()]).toEqual([true, false])
    await page.keyboard.press("Enter")
    await tabTo(page, link)
    await page.keyboard.press("Enter")
    await shown(page, "Contacts")
    await expect.poll(() => hasFocus(page, content())).toBe(true)
    expect(await link.isVisible()).toBe(false)
  })

  it("causes no error", () => {
    expect(visitor.watched).toEqual({ errors: [], otherRequests: [] })
  })
})
