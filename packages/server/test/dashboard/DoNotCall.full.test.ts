import { violationsOf } from "@frontdesk/test-browser/accessibility"
import { signInBy } from "@frontdesk/test-browser/showPage"
import { expect, it } from "vitest"
import { dashboardForTests, describeInBrowser } from "./describeInBrowser.ts"
import { dialogClosed, problemAt, rowsOf, sent } from "./openDashboard.ts"

const path = "/contacts/do-not-call"

/** A number of the demo's contact Jo Miller. */
const ofContact = "+12025550111"

describeInBrowser("the page of the do-not-call list", () => {
  const { api, button, dashboard, dialog, page } = dashboardForTests()

  const table = () => page.getByRole("region", { name: "Do-not-call list" })
  const numbers = async () => (await rowsOf(table())).map(([number]) => number)
  const field = () => page.getByLabel("Look up a number")
  const lookUp = async (number: string) => {
    await field().fill(number)
    await field().press("Enter")
  }
  const listed = async () => (await api.doNotCall.list()).phone_numbers

  /** Expects that axe finds nothing in either mode, and that the page fits a screen of 320 and one of 1440 pixels. */
  const expectUsable = async () => {
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
        expect([width, colorScheme, await violationsOf(page)]).toEqual([width, colorScheme, []])
      }
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width)
    }
    await page.emulateMedia({ colorScheme: "light" })
  }

  it("is reached from the contacts, and says what the list is for while it is empty", async () => {
    await dashboard.open("/contacts")
    await page.getByRole("link", { name: "Do-not-call list" }).click()
    await page.getByRole("heading", { level: 1, name: "Do not call" }).waitFor()
    await page.getByText("No numbers yet").waitFor()
    await page.getByText(/^Calls to these numbers are refused/).waitFor()
    await expectUsable()
  })

  it("adds numbers of a text, after it has named the wrong ones at the field", async () => {
    await button("Add numbers").click()
    const text = () => dialog().getByLabel("Phone numbers")
    await text().fill("+1 (202) 555-0181, 2025550182\n+12025550183\ncall me")
    await button("Add").click()
    const problem = await problemAt(text())
    expect(problem).toContain("“2025550182” and “call me” are wrong")
    await expectUsable()
    expect(await listed()).toEqual([])
    await text().fill(",")
    await button("Add").click()
    await expect.poll(() => problemAt(text())).toBe("Write at least one number.")
    await text().fill(`+1 (202) 555-0181, +12025550182;\n+12025550183\n${ofContact}`)
    const body = await sent(page, "POST", "/do-not-call", () => button("Add").click())
    expect(body).toEqual({ phone_numbers: ["+12025550181", "+12025550182", "+12025550183", ofContact] })
    await dialogClosed(page)
    await page.getByRole("status").getByText("4 numbers were added.").waitFor()
    await expect.poll(numbers).toEqual([ofContact, "+12025550181", "+12025550182", "+12025550183"])
    expect(await listed()).toEqual([ofContact, "+12025550181", "+12025550182", "+12025550183"])
    await expectUsable()
    const [contact] = (await api.contacts.list({ phone_number: ofContact })).contacts
    expect(contact?.phone_numbers).toMatchObject([{ do_not_call: true }])
  })

  it("says how many of the numbers were on the list before", async () => {
    await button("Add numbers").click()
    await dialog().getByLabel("Phone numbers").fill("+12025550183\n+12025550184\n+12025550184")
    await button("Add").click()
    await dialogClosed(page)
    await page.getByRole("status").getByText("1 number was added. 1 number was on the list before.").waitFor()
  })

  it("looks up whether a number is on the list, and offers to add one that is not", async () => {
    await dashboard.open(path)
    await lookUp("+1 202 555 0182")
    await page.getByText("This number is on the list.").waitFor()
    expect(await numbers()).toEqual(["+12025550182"])
    await page.reload()
    await page.getByText("This number is on the list.").waitFor()
    expect(await field().inputValue()).toBe("+12025550182")
    await lookUp("2025550199")
    expect(await problemAt(field())).toContain("country code")
    await page.getByText("This is not a phone number").waitFor()
    await expectUsable()
    await lookUp("+12025550199")
    await page.getByText("+12025550199 is not on the list").waitFor()
    await expectUsable()
    await button("Add this number").click()
    expect(await dialog().getByLabel("Phone numbers").inputValue()).toBe("+12025550199")
    await button("Add").click()
    await page.getByText("This number is on the list.").waitFor()
    // The message moves what is below it, so a click must come after it.
    await page.getByRole("status").getByText("1 number was added.").waitFor()
    await page.getByRole("link", { name: "Show all numbers" }).click()
    await expect.poll(numbers).toHaveLength(6)
    expect(await numbers()).toContain("+12025550199")
  })

  it("removes a number only after a confirmation, and the number of a contact can be called again", async () => {
    await dashboard.open(path)
    await button(`Remove ${ofContact}`).click()
    await dialog().getByText(`can call ${ofContact} again`).waitFor()
    await expectUsable()
    await page.keyboard.press("Escape")
    await dialogClosed(page)
    expect(await listed()).toContain(ofContact)
    await button(`Remove ${ofContact}`).focus()
    await page.keyboard.press("Enter")
    const body = await sent(page, "POST", "/do-not-call/remove", () =>
      dialog().getByRole("button", { name: "Remove", exact: true }).press("Enter")
    )
    expect(body).toEqual({ phone_numbers: [ofContact] })
    await dialogClosed(page)
    await page.getByRole("status").getByText(`${ofContact} was removed.`).waitFor()
    await expect.poll(numbers).not.toContain(ofContact)
    expect(await listed()).not.toContain(ofContact)
    const [contact] = (await api.contacts.list({ phone_number: ofContact })).contacts
    expect(contact?.phone_numbers).toMatchObject([{ do_not_call: false }])
  })

  it("has pages of 25 numbers", async () => {
    const many = Array.from({ length: 30 }, (_, n) => `+1303555${String(n).padStart(4, "0")}`)
    await api.doNotCall.add({ phone_numbers: many })
    await dashboard.open(path)
    await page.getByText("35 numbers · page 1 of 2").waitFor()
    expect(await numbers()).toHaveLength(25)
    await button("Next").click()
    await page.getByText("35 numbers · page 2 of 2").waitFor()
    await expect.poll(numbers).toEqual(many.slice(-10))
    await api.doNotCall.remove({ phone_numbers: many })
  })

  it("says when the list cannot be loaded, and loads it on demand", async () => {
    const isList = (url: URL) => url.pathname.endsWith("/api/v1/do-not-call")
    await page.route(isList, (route) =>
      route.fulfill({
        status: 403,
        contentType: "application/json",
        body: JSON.stringify({ error: "permission_denied", message: "Not now" })
      })
    )
    await page.goto(`${dashboard.server.url}/dashboard${path}`)
    await page.getByRole("alert").getByText("Not now").waitFor()
    await expectUsable()
    await page.unroute(isList)
    await button("Try again").click()
    await expect.poll(numbers).toContain("+12025550181")
  })

  it("shows a viewer the list, and no button that changes it", async () => {
    const { url } = await api.signInLinks.create({ role: "viewer", name: "Vera" })
    await signInBy(page, new URL(url ?? "", dashboard.server.url).href)
    await dashboard.open(path)
    await expect.poll(numbers).toContain("+12025550181")
    const buttons = await page.getByRole("main").getByRole("button").allTextContents()
    expect(buttons).toEqual(["Look up"])
    await lookUp("+12025550100")
    await page.getByText("+12025550100 is not on the list").waitFor()
    expect(await page.getByRole("main").getByRole("button").allTextContents()).toEqual(["Look up"])
    await expectUsable()
  })

  it("causes no error in the browser", () => {
    expect(dashboard.watched).toMatchObject({ errors: [], otherRequests: [] })
  })
})
