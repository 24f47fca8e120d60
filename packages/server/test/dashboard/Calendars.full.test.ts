import * as CaldavServer from "@frontdesk/provider-fakes/caldav/CaldavServer"
import { type Google, openGoogle } from "@frontdesk/provider-fakes/google/Google"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { dashboardForTests, describeInBrowser } from "./describeInBrowser.ts"
import { dialogClosed, openSignedIn, publicSettings } from "./openDashboard.ts"

const noRadicale = CaldavServer.isInstalled(CaldavServer.radicale) ? "" : " (skipped: radicale is not installed)"

describeInBrowser("the page of connected calendars", () => {
  let google: Google

  beforeAll(async () => {
    google = await openGoogle()
  })
  afterAll(() => google.close())

  const { api, button, dashboard, dialog, page } = dashboardForTests(async () =>
    openSignedIn({
      settings: {
        ...(await publicSettings()),
        FRONTDESK_CALDAV_PRIVATE_HOSTS: "127.0.0.1",
        FRONTDESK_GOOGLE_CLIENT_ID: "google-client",
        FRONTDESK_GOOGLE_CLIENT_SECRET: "secret",
        FRONTDESK_GOOGLE_BASE_URL: google.url,
        FRONTDESK_OUTLOOK_CLIENT_ID: "outlook-client",
        FRONTDESK_OUTLOOK_CLIENT_SECRET: "secret"
      }
    })
  )

  beforeAll(async () => {
    await page.route(`${google.url}/**`, (route) => route.continue())
  })

  const field = (name: string) => dialog().getByLabel(name, { exact: true })
  const item = (name: string) => page.getByRole("listitem").filter({ has: page.getByRole("heading", { name }) })

  const connectionOf = async (provider: string) => {
    const { connections } = await api.externalCalendars.list()
    return connections.find((connection) => connection.provider === provider)
  }

  describe.skipIf(noRadicale !== "")(`with a CalDAV server${noRadicale}`, () => {
    let caldav: CaldavServer.CaldavServer
    beforeAll(async () => {
      caldav = await CaldavServer.open(CaldavServer.radicale)
    })
    afterAll(() => caldav[Symbol.asyncDispose]())

    it("connects a calendar, after it has shown what is wrong with the access", async () => {
      await dashboard.open("/settings/calendars")
      await button("Connect iCloud or CalDAV").click()
      await field("Server (optional)").fill("ftp://127.0.0.1")
      await field("User name").fill(caldav.username)
      await field("Password").fill("wrong")
      await button("Continue").click()
      await dialog().getByRole("alert").waitFor()
      expect(await field("Server (optional)").inputValue()).toBe("ftp://127.0.0.1")
      await field("Server (optional)").fill(caldav.url)
      await button("Continue").click()
      await expect.poll(() => dialog().getByRole("alert").textContent()).toMatch(/password/)
      expect(await field("User name").inputValue()).toBe(caldav.username)
      expect(await connectionOf("apple")).toBeUndefined()
      await field("Password").fill(caldav.password)
      await button("Continue").click()
      await dialog().getByRole("radio", { checked: true }).waitFor()
      expect(await dialog().getByRole("radio", { checked: true }).inputValue()).toBe(caldav.calendar)
      await dialog().getByRole("button", { name: "Connect" }).click()
      await dialogClosed(page)
      expect(await connectionOf("apple")).toMatchObject({
        calendar: caldav.calendar,
        status: "connected",
        conflicts: 0
      })
      await item("iCloud or CalDAV").getByText("Connected", { exact: true }).waitFor()
      expect(await page.content()).not.toContain(caldav.password)
    })

    it("checks the calendar, while its server runs and while it does not", async () => {
      await dashboard.open("/settings/calendars")
      await button("Check now: iCloud or CalDAV").click()
      await page.getByText(/^The calendar works: /).waitFor()
      await caldav.down()
      await button("Check now: iCloud or CalDAV").click()
      await page.getByText(/^The calendar does not work: /).waitFor()
      await caldav.up()
      await button("Check now: iCloud or CalDAV").click()
      await page.getByText(/^The calendar works: /).waitFor()
      expect(await api.externalCalendars.check("apple")).toMatchObject({ is_usable: true })
    })

    it("disconnects the calendar after a confirmation", async () => {
      await dashboard.open("/settings/calendars")
      await button("Disconnect iCloud or CalDAV").click()
      await button("Cancel").click()
      expect(await connectionOf("apple")).toBeDefined()
      await button("Disconnect iCloud or CalDAV").click()
      await dialog().getByRole("button", { name: "Disconnect" }).click()
      await dialogClosed(page)
      expect(await connectionOf("apple")).toBeUndefined()
      await button("Connect iCloud or CalDAV").waitFor()
    })
  })

  it("sends the browser to Google, and says that the calendar is connected when it returns", async () => {
    await dashboard.open("/settings/calendars")
    await button("Connect Google Calendar").click()
    await field("Calendar (optional)").fill("team.jo@example.com")
    const [request] = await Promise.all([
      page.waitForRequest((one) => one.url().startsWith(google.url)),
      button("Go to Google").click()
    ])
    const query = new URL(request.url()).searchParams
    expect(Object.fromEntries(query)).toMatchObject({
      client_id: "google-client",
      redirect_uri: `${dashboard.server.url}/calendar/oauth/callback`,
      response_type: "code",
      access_type: "offline",
      code_challenge_method: "S256"
    })
    await page.getByText("Google Calendar is connected.").waitFor()
    expect(await connectionOf("google")).toMatchObject({ calendar: "team.jo@example.com", status: "connected" })
    await button("Hide this message").click()
    expect(new URL(page.url()).search).toBe("")
  })

  it("says that nothing was changed when a person denies the access", async () => {
    google.denies = true
    await dashboard.open("/settings/calendars")
    await button("Connect again: Google Calendar").click()
    await button("Go to Google").click()
    await page.getByText("Access to the calendar was not granted, so nothing was changed.").waitFor()
    google.denies = false
    expect(await connectionOf("google")).toMatchObject({ calendar: "team.jo@example.com", status: "connected" })
    await button("Disconnect Google Calendar").click()
    await dialog().getByRole("button", { name: "Disconnect" }).click()
    await dialogClosed(page)
    expect(await connectionOf("google")).toBeUndefined()
  })

  it("sends the browser to Microsoft with the address of this server", async () => {
    await dashboard.open("/settings/calendars")
    await button("Connect Outlook").click()
    // The page waits for the other site, which the test does not reach.
    const [request] = await Promise.all([
      page.waitForRequest((one) => one.url().startsWith("https://login.microsoftonline.com/")),
      button("Go to Microsoft").click()
    ])
    const { pathname, searchParams } = new URL(request.url())
    expect(pathname).toBe("/common/oauth2/v2.0/authorize")
    expect(Object.fromEntries(searchParams)).toMatchObject({
      client_id: "outlook-client",
      redirect_uri: `${dashboard.server.url}/calendar/oauth/callback`,
      response_type: "code"
    })
    expect(searchParams.get("scope")).toContain("Calendars.ReadWrite")
    expect(await connectionOf("outlook")).toBeUndefined()
  })

  it("causes no error in the browser, and asks only Microsoft besides the server", () => {
    expect(dashboard.watched).toMatchObject({
      errors: [],
      otherRequests: [expect.stringMatching(/^https:\/\/login\.microsoftonline\.com\/common\/oauth2\//)]
    })
  })
})
