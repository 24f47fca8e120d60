import type { OpenBrowser, Page } from "@frontdesk/test-browser/browser"
import { signInBy } from "@frontdesk/test-browser/showPage"
import { afterAll, beforeAll, expect, it } from "vitest"
import { acme, fill, linkFor, other, type TestAccount } from "./accounts.ts"
import { describeInBrowser } from "./describeInBrowser.ts"
import { type Mount, mounts } from "./mounts.ts"
import { openTestBrowser } from "./openDashboard.ts"
import { navigation, operatorPage, pages } from "./pages.ts"
import { pairwise } from "./pairwise.ts"
import { shown, type Visitor, visit } from "./visitors.ts"

/** The people who open the dashboard. The last one is not signed in. */
const people = [
  { name: "an owner", account: acme, role: "owner" },
  { name: "an editor", account: acme, role: "editor" },
  { name: "a viewer", account: acme, role: "viewer" },
  { name: "the owner of another account", account: other, role: "owner" },
  { name: "a stranger", account: null, role: "" }
] as const

const looks = [
  { name: "a wide screen", width: 1440, colorScheme: "light", reducedMotion: "no-preference" },
  { name: "320 pixels, in the dark", width: 320, colorScheme: "dark", reducedMotion: "no-preference" },
  { name: "a wide screen without motion", width: 1024, colorScheme: "dark", reducedMotion: "reduce" }
] as const

/** The pages that only an owner has. */
const ownerPages: ReadonlySet<string> = new Set(["/settings/keys", "/settings/people", "/audit"])

/** Every page. No person in the tests is the operator. */
const allPages = [...pages, operatorPage]

/** The page groups that the roles see differently. The records are one page for each record. */
const groupOf = (path: string) =>
  path.startsWith("/settings") ? "settings" : /^\/(?:tasks|audit|operator)/.test(path) ? "operation" : "work"

/** A button that each page has for a person who may change what it shows. */
const changes: Readonly<Record<string, string>> = {
  "/calls": "Start a call",
  "/calendar": "New event",
  "/contacts": "Create a contact",
  "/contacts/do-not-call": "Add numbers",
  "/agents": "Create an agent",
  "/variables": "Create a variable",
  "/webhooks": "Create a webhook",
  "/settings/account": "Add as closed",
  "/settings/calendars": "Connect",
  "/settings/keys": "Create an API key",
  "/settings/people": "Invite a person"
}

/** The buttons that change nothing. The last one is a calendar event, which opens. */
const harmless =
  /^(?:←|→|Today|Week|Month|✕|Export|Export everything|Previous|Next|Newest|Newer|Older|Sign out everywhere|Look up|Download as JSON Lines|Try again|.*(?:Heron|Walrus) visit.*)$/

/** Returns whether a role may use the button of a page that changes something. */
const mayChange = (role: string, path: string): boolean =>
  role === "owner" || (role === "editor" && !path.startsWith("/settings"))

const combinations = pairwise({
  mount: mounts,
  person: people,
  group: ["work", "settings", "operation", "records"],
  look: looks
})

/** A dashboard that is open, and the window of each person in it. */
interface Opened extends Mount {
  /** The addresses of the records of each account. */
  readonly records: ReadonlyMap<TestAccount, ReadonlyArray<string>>
  readonly visitors: Map<string, Visitor>
}

type Combination = (typeof combinations)[number]

describeInBrowser("the dashboard for everyone, below any path", () => {
  let browser: OpenBrowser
  const opened = new Map<string, Opened>()

  beforeAll(async () => {
    browser = await openTestBrowser()
    await Promise.all(
      mounts.map(async ({ name, open }) => {
        const mount = await open()
        const records = new Map<TestAccount, ReadonlyArray<string>>()
        for (const account of [acme, other]) records.set(account, await fill(mount.api, account))
        opened.set(name, { ...mount, records, visitors: new Map() })
      })
    )
  }, 60_000)
  afterAll(async () => {
    await browser.close()
    await Promise.all([...opened.values()].map(({ close }) => close()))
  })

  /** Returns the window of a person, who has signed in. */
  const visitorOf = async ({ api, dashboard, visitors }: Opened, person: Combination["person"]): Promise<Visitor> => {
    const known = visitors.get(person.name)
    if (known !== undefined) return known
    // Only the records of the other account are not found. No page asks for what the role of its person may not read.
    const visitor = await visit(browser, dashboard, /status of (?:401|404)/)
    visitors.set(person.name, visitor)
    if (person.account !== null) await signInBy(visitor.page, await linkFor(api, person.account, person.role))
    return visitor
  }

  const textOf = (page: Page) => page.locator("body").innerText()
  const buttonsOf = (page: Page) => page.locator("main").getByRole("button").allTextContents()
  const changesOn = async (page: Page) => (await buttonsOf(page)).filter((name) => !harmless.test(name))

  /** Expects the page that tells how to sign in, at each address. */
  const expectSignIn = async (page: Page, addresses: ReadonlyArray<string>) => {
    for (const address of addresses) {
      await page.goto(address)
      await shown(page, "Not signed in")
      expect(await textOf(page)).toContain("frontdesk dashboard link --account ACCOUNT")
      expect(await page.getByRole("navigation").count()).toBe(0)
    }
  }

  /** Expects the links to the pages of a role, and nothing else at the addresses of the others. */
  const expectPages = async (
    page: Page,
    dashboard: string,
    { group, look: { width }, person: { account, role } }: Combination
  ) => {
    const foreign = account === acme ? other : acme
    const isOwn = (path: string) => path !== operatorPage[0] && (role === "owner" || !ownerPages.has(path))
    const menu = page.getByText("Menu", { exact: true })
    const links = async () => {
      if (width < 1024) await menu.click()
      return page.getByRole("navigation", { name: "Main" }).getByRole("link")
    }
    await page.goto(dashboard)
    await shown(page, "Overview")
    const titles: ReadonlyArray<string> = navigation.filter(([path]) => isOwn(path)).map(([, title]) => title)
    expect(await (await links()).allTextContents()).toEqual(titles)
    if (width < 1024) await menu.click()

    for (const [path, title] of allPages.filter(([one]) => groupOf(one) === group)) {
      if (isOwn(path)) {
        if (titles.includes(title))
          await (await links()).and(page.getByRole("link", { name: title, exact: true })).click()
        else await page.goto(`${dashboard}${path}`)
        await shown(page, title)
        expect(await page.getByRole("alert").allTextContents()).toEqual([])
        const { [path]: change } = changes
        if (change !== undefined && mayChange(role, path)) expect(await buttonsOf(page)).toContain(change)
        else expect(await changesOn(page)).toEqual([])
      } else {
        await page.goto(`${dashboard}${path}`)
        await shown(page, title)
        expect(await textOf(page)).toContain("Not allowed")
        expect(await buttonsOf(page)).toEqual([])
      }
      expect(page.url()).toBe(`${dashboard}${path}`)
      expect(await textOf(page)).not.toContain(foreign.word)
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width)
    }
  }

  /** Expects the records of the account, and none of another one at its addresses. */
  const expectRecords = async (page: Page, { dashboard, records }: Opened, account: TestAccount, role: string) => {
    for (const [owner, paths] of records)
      for (const path of paths) {
        await page.goto(`${dashboard}${path}`)
        if (owner === account) {
          await shown(page, /./)
          expect(await textOf(page)).toContain(account.word)
          if (role === "viewer") expect(await changesOn(page)).toEqual([])
        } else {
          await page
            .getByText(/^(?:No such (?:agent|call|contact|webhook)|There is no such event\..*)$/)
            .first()
            .waitFor()
          expect(await textOf(page)).not.toContain(owner.word)
        }
      }
  }

  it.each(combinations)("$person.name at $mount.name: the pages of $group on $look.name", async (combination) => {
    const { group, look, mount, person } = combination
    const open = opened.get(mount.name)
    if (open === undefined) throw new Error(`${mount.name} is not open`)
    const { page, watched } = await visitorOf(open, person)
    await page.setViewportSize({ width: look.width, height: 800 })
    await page.emulateMedia({ colorScheme: look.colorScheme, reducedMotion: look.reducedMotion })
    if (person.account === null) {
      const paths = allPages.map(([path]) => path).filter((path) => groupOf(path) === group)
      await expectSignIn(
        page,
        [...paths, ...(group === "records" ? (open.records.get(acme) ?? []) : [])].map(
          (path) => `${open.dashboard}${path}`
        )
      )
    } else if (group === "records") await expectRecords(page, open, person.account, person.role)
    else await expectPages(page, open.dashboard, combination)
    expect(watched).toEqual({ errors: [], otherRequests: [] })
  })
})
