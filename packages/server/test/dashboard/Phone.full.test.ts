import { violationsOf } from "@frontdesk/test-browser/accessibility"
import { beforeAll, describe, expect, it } from "vitest"
import { dashboardForTests, describeInBrowser } from "./describeInBrowser.ts"

/** The size of a small phone. */
const phone = { width: 320, height: 640 }

/** The pages with tables, and the name of a table with buttons on each. The path of a webhook's page is made from its id. */
const tables = [
  ["/settings/keys", "API keys"],
  ["/settings/people", "Members"],
  ["/settings/people", "Open sign-in links"],
  ["/settings/people", "Sessions"],
  ["/agents", "Agents"],
  ["/webhooks/:id", "Deliveries"],
  ["/operator", "Accounts"]
] as const

/** The ends of each button of the table that the browser has focused, and whether its region scrolls sideways. Evaluated by the browser. */
const measure = `(() => {
  const region = document.activeElement
  return {
    ends: [...region.querySelectorAll("button")].map((button) => button.getBoundingClientRect().right),
    isScrolled: region.scrollWidth > region.clientWidth
  }
})()`

/** How many pixels of each field for a date its text and its button leave. Evaluated by the browser. */
const roomOfDates = `[...document.querySelectorAll("input[type=date]")].map((input) => {
  const { fontFamily, fontSize, paddingLeft, paddingRight } = getComputedStyle(input)
  const canvas = document.createElement("canvas").getContext("2d")
  canvas.font = fontSize + " " + fontFamily
  const button = 18
  return input.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - canvas.measureText("mm/dd/yyyy").width - button
})`

describeInBrowser("the dashboard on a phone or a tablet", () => {
  const { api, button, dashboard, page } = dashboardForTests()
  let webhookId = 0

  beforeAll(async () => {
    const { webhooks } = await api.webhooks.list()
    webhookId = webhooks[0]?.id ?? 0
    const email = "bartholomew.featherstonehaugh@a-long-domain.example.com"
    const { id } = await api.members.create({ name: "Bartholomew Featherstonehaugh", email, role: "viewer" })
    await api.signInLinks.create({ member_id: id })
    await page.setViewportSize(phone)
  })

  const open = (path: string) => dashboard.open(path.replace(":id", String(webhookId)))

  it.each(tables)("on %s, %s has every button in sight on a tablet", async (path, name) => {
    await page.setViewportSize({ width: 768, height: 1024 })
    await open(path)
    await page.getByRole("region", { name, exact: true }).focus()
    const { ends }: { ends: ReadonlyArray<number> } = await page.evaluate(measure)
    expect(ends.length).toBeGreaterThan(0)
    expect(Math.max(...ends)).toBeLessThanOrEqual(768)
    await page.setViewportSize(phone)
  })

  describe.each(tables)("on %s", (path, name) => {
    it(`${name} has every button in sight without scrolling sideways, and is still a table`, async () => {
      await open(path)
      const table = page.getByRole("region", { name, exact: true })
      await table.focus()
      const { ends, isScrolled }: { ends: ReadonlyArray<number>; isScrolled: boolean } = await page.evaluate(measure)
      expect(ends.length).toBeGreaterThan(0)
      expect(Math.max(...ends)).toBeLessThanOrEqual(phone.width)
      expect(isScrolled).toBe(false)
      expect(await table.getByRole("columnheader").count()).toBeGreaterThan(1)
      const row = table.getByRole("row").nth(1)
      expect(await row.getByRole("rowheader").count()).toBe(1)
      expect(await row.getByRole("cell").count()).toBeGreaterThan(0)
      expect(await violationsOf(page)).toEqual([])
    })
  })

  it("has the names of the columns before the values", async () => {
    await open("/settings/keys")
    const names = `[...document.querySelectorAll("td")].map((cell) => getComputedStyle(cell, "::before").content)`
    expect(String(await page.evaluate(names))).toContain('"Last used"')
    await page.setViewportSize({ width: 1440, height: 900 })
    expect(String(await page.evaluate(names))).not.toContain("Last used")
    await page.setViewportSize(phone)
  })

  it.each(["/calls", "/audit", "/settings/account"])("shows the whole dates of the fields on %s", async (path) => {
    await open(path)
    const rooms: ReadonlyArray<number> = await page.evaluate(roomOfDates)
    expect(rooms.length).toBeGreaterThan(0)
    expect(Math.min(...rooms)).toBeGreaterThanOrEqual(0)
  })

  it("has the way to sign out in sight when the menu opens, and closes the menu with Escape", async () => {
    await open("/webhooks")
    await page.getByText("Menu", { exact: true }).click()
    const signOut = button("Sign out").filter({ visible: true })
    const box = await signOut.boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(phone.height)
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press("Escape")
    await expect.poll(() => signOut.count()).toBe(0)
  })

  it("causes no error in the browser", () => {
    expect(dashboard.watched).toMatchObject({ errors: [], otherRequests: [] })
  })
})
