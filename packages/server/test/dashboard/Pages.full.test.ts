import { join } from "node:path"
import { violationsOf } from "@frontdesk/test-browser/accessibility"
import { signInBy } from "@frontdesk/test-browser/showPage"
import { beforeAll, describe, expect, it } from "vitest"
import { dashboardForTests, describeInBrowser } from "./describeInBrowser.ts"
import { openDashboard } from "./openDashboard.ts"
import { operatorPage, pages } from "./pages.ts"

/** Where the pictures of the pages are. */
const pictures = join(import.meta.dirname, "../../../../node_modules/.cache/dashboard")

/** A name that would run if a page took it for HTML. */
const script = `<img src=x onerror="document.title='hacked'"><script>document.title='hacked'</script>`

describeInBrowser("the dashboard of a server, in a browser", () => {
  const { api, dashboard, page } = dashboardForTests(openDashboard)

  /** Takes a picture of the whole page, to look at it after the test. */
  const picture = (path: string, variant: string) =>
    page.screenshot({
      path: `${pictures}/${path.slice(1).replace("/", "-") || "overview"}-${variant}.png`,
      fullPage: true
    })

  beforeAll(async () => {
    await api.contacts.create({ first_name: script, email: "script@example.com", company: script })
    await api.webhooks.create({
      name: script,
      url: "http://127.0.0.1:1/hooks",
      subscribed_events: ["call.started", "call.ended"]
    })
    await api.calls.start({ phone_number: "+12025550111", agent_id: "asst_ada", variables: { topic: script } })
  })

  it("leads from the address of the server to the dashboard, which shows how to sign in", async () => {
    await page.goto(dashboard.server.url)
    await page.getByRole("heading", { name: "Not signed in" }).waitFor()
    expect(page.url()).toBe(`${dashboard.server.url}/dashboard/`)
    expect(await violationsOf(page)).toEqual([])
  })

  it("signs in with one link and one button, and the link works once", async () => {
    await signInBy(page, dashboard.link)
    const again = await dashboard.context.newPage()
    await again.goto(dashboard.link)
    await again.getByRole("button", { name: "Sign in" }).click()
    await again.getByRole("heading", { name: "Link not valid" }).waitFor()
    await again.close()
  })

  describe.each([...pages, operatorPage])("the page %s", (path, title) => {
    it(`is reached by its address, has the title ${title}, and axe finds nothing in either mode`, async () => {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
        await dashboard.open(path)
        expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(title)
        await picture(path, colorScheme)
        expect([colorScheme, await violationsOf(page)]).toEqual([colorScheme, []])
      }
    })

    it.each([320, 1440])("fits a screen of %i pixels", async (width) => {
      await page.setViewportSize({ width, height: 800 })
      await dashboard.open(path)
      await picture(path, `${width}`)
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width)
    })
  })

  it.each([
    ["/calls", "Start a call"],
    ["/contacts", "Create a contact"],
    ["/agents", "Create an agent"],
    ["/variables", "Create a variable"],
    ["/webhooks", "Create a webhook"],
    ["/settings/keys", "Create an API key"],
    ["/settings/people", "Invite a person"],
    ["/settings/people", "Create a sign-in link"]
  ])("on %s, %s opens a form in which axe finds nothing, and Escape closes it", async (path, name) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await dashboard.open(path)
    await page.getByRole("button", { name }).click()
    await page.getByRole("dialog").getByRole("heading", { name }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press("Escape")
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0)
  })

  it("shows a call with its transcript, and texts never as HTML", async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await dashboard.open("/calls")
    await page.getByRole("row").nth(1).getByRole("link").click()
    await page.getByText("Completed").first().waitFor({ timeout: 30_000 })
    await page.getByRole("heading", { name: "Transcript" }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    expect(await page.getByText(script).count()).toBeGreaterThan(0)
    expect(await page.title()).not.toBe("hacked")
  })

  it("deposits to an account after the amount was checked and confirmed, and the movements show it", async () => {
    await dashboard.open("/operator")
    await page.getByRole("searchbox", { name: "Name or id" }).fill("demo")
    await page.getByRole("button", { name: /^Deposit to / }).click()
    const dialog = page.getByRole("dialog")
    const amount = dialog.getByRole("textbox", { name: "Amount" })
    await amount.fill("-1")
    await dialog.getByRole("button", { name: "Continue" }).click()
    await dialog.getByText("Write a number with at most six decimals, such as 25 or 0.5.").waitFor()
    expect(await violationsOf(page)).toEqual([])
    await amount.fill("12.34")
    await dialog.getByRole("button", { name: "Continue" }).click()
    await dialog.getByText(/^12\.34 is added to the balance of/).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await dialog.getByRole("button", { name: "Deposit", exact: true }).click()
    await page
      .getByRole("status")
      .getByText(/^12\.34 deposited to /)
      .waitFor()
    const servers = page.getByRole("region", { name: "Servers" })
    await servers.getByRole("row", { name: /answers you.* running .* 15 / }).waitFor()
    expect(await page.getByRole("region", { name: "Workers" }).getByText("running", { exact: true }).count()).toBe(15)
    await dashboard.open("/settings/account")
    await page.getByRole("row", { name: /Paid in \+12\.34/ }).waitFor()
  })

  it("asks no other server, and the policy of its pages refuses nothing that they need", () => {
    expect(dashboard.watched).toMatchObject({ errors: [], otherRequests: [] })
  })

  it("ends the session of a person who signs out", async () => {
    await dashboard.open("/")
    await page.getByRole("button", { name: "Sign out" }).first().click()
    await page.getByRole("heading", { name: "Not signed in" }).waitFor()
  })
})
