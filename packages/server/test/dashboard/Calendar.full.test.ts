import { CalendarSync, CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import { violationsOf } from "@frontdesk/test-browser/accessibility"
import { caldavAccount, caldavCalendars, FakeCalendarConnector } from "@frontdesk/testing/fake/FakeCalendarConnector"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { demoRef } from "frontdesk/demo/DemoDocument"
import { beforeAll, expect, it } from "vitest"
import { provision } from "../support/launch.ts"
import { dashboardForTests, describeInBrowser } from "./describeInBrowser.ts"
import { dialogClosed, openSignedIn } from "./openDashboard.ts"

const zone = "America/New_York"

/** Returns the instant at which a clock in the zone of the account shows a time. */
const at = (date: string, time: string): string =>
  DateTime.formatIso(DateTime.makeZonedUnsafe(`${date}T${time}`, { timeZone: zone, adjustForTimeZone: true }))

/** Returns the date some days after a date. */
const daysAfter = (date: string, days: number): string =>
  DateTime.formatIsoDateUtc(DateTime.add(DateTime.makeUnsafe(date), { days }))

/** A Tuesday in two or three weeks. The demo account works from 9:00 to 17:00 on Tuesdays. */
const day = ((today: Date) => {
  const date = today.toISOString().slice(0, 10)
  return daysAfter(date, 14 + ((9 - today.getUTCDay()) % 7))
})(new Date())

const busyTime = { start: Date.parse(at(day, "15:00")), end: Date.parse(at(day, "16:00")) }

/** External calendars that are busy at one time. Every account is connected to one. */
const calendars = Layer.merge(
  FakeCalendarConnector.layer,
  Layer.succeed(
    CalendarSync,
    CalendarSync.of({
      connected: () =>
        Effect.succeed([{ provider: "apple", calendar: "work", updatedAt: DateTime.makeUnsafe("2026-01-01") }]),
      write: (provider, { title, uuid }) =>
        title === "Contested visit"
          ? Effect.fail(new CalendarSyncError({ reason: "conflict", isByHand: true, cause: "a person of the test" }))
          : Effect.succeed({ id: `${provider}_${uuid}`, revision: null }),
      busy: () => Effect.succeed([busyTime]),
      check: () => Effect.succeed({ isUsable: true, says: "a fake" })
    })
  )
)

describeInBrowser("the calendar of the dashboard, in a browser", () => {
  const { api, dashboard, dialog, page } = dashboardForTests(() =>
    openSignedIn({
      around: (adapters) => Layer.merge(adapters, calendars),
      // The person is elsewhere than the account, and begins the week on Sunday.
      place: { timezoneId: "Asia/Tokyo", locale: "en-US" },
      expected: /status of (400|409)/
    })
  )

  beforeAll(async () => {
    // The demo account joins a team, so that the form of an event has one to choose.
    await provision(dashboard.folder, {
      teams: [{ ref: "sales", name: "Sales" }],
      accounts: [{ ref: demoRef, name: "Demo", teams: ["sales"] }]
    })
    await api.externalCalendars.connectCaldav({
      username: caldavAccount.username,
      password: Redacted.value(caldavAccount.password),
      calendar: caldavCalendars[0]?.url
    })
    await api.calendar.create({
      title: "Trade fair",
      start_time: at(daysAfter(day, -9), "12:00"),
      end_time: at(daysAfter(day, -1), "10:00"),
      send_notifications: false
    })
    await page.emulateMedia({ reducedMotion: "reduce" })
  })

  /** Returns the events of the day with a title, as the API shows each alone. */
  const eventsOf = async (title: string) => {
    const { events } = await api.calendar.list({ start_date: day, end_date: day })
    return Promise.all(events.filter((event) => event.title === title).map(({ id }) => api.calendar.get(id)))
  }

  it("shows busy times of other calendars, the state of their connections, and what began before the week", async () => {
    await dashboard.open(`/calendar?date=${day}`)
    const week = page.getByRole("region", { name: "Week" })
    await week.getByText("Busy 3:00 PM – 4:00 PM · iCloud or CalDAV").waitFor()
    await week.getByRole("region", { name: "Sun" }).getByRole("button", { name: "All day Trade fair" }).waitFor()
    await week.getByRole("region", { name: "Mon" }).getByRole("button", { name: "Until 10:00 AM Trade fair" }).waitFor()
    expect(await week.getByRole("heading").first().textContent()).toMatch(/^Sun/)
    const connections = page.getByRole("region", { name: "Connected calendars" })
    await connections.getByText("Connected", { exact: true }).waitFor()
    expect(await connections.getByRole("link").getAttribute("href")).toContain("/settings/calendars")
    expect(await violationsOf(page)).toEqual([])
  })

  it("names busy times in the month and on a narrow screen", async () => {
    await dashboard.open(`/calendar?view=month&date=${day}`)
    await page.getByRole("cell").getByText("1 time busy in iCloud or CalDAV").waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.setViewportSize({ width: 320, height: 800 })
    await dashboard.open(`/calendar?date=${day}`)
    await page.getByRole("list", { name: "Busy in other calendars" }).getByText("3:00 PM – 4:00 PM").waitFor()
    expect(await violationsOf(page)).toEqual([])
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320)
    await page.setViewportSize({ width: 1400, height: 1000 })
  })

  it("creates an event with every field, in the zone of the account", async () => {
    await dashboard.open(`/calendar?date=${day}`)
    await page.getByRole("button", { name: "New event" }).click()
    const form = dialog()
    await form.locator("input:focus[name=title]").waitFor()
    expect(await violationsOf(page)).toEqual([])
    await form.getByLabel("Title").fill("Special visit")
    await form.getByLabel("Start", { exact: true }).fill(`${day}T10:00`)
    await form.getByLabel("End", { exact: true }).fill(`${day}T11:00`)
    await form.getByLabel("Type").selectOption("video_call")
    await form.getByLabel("Status").selectOption("confirmed")
    await form.getByLabel("Find a contact").fill("Jo Mill")
    await form.getByLabel("Contact", { exact: true }).selectOption({ label: "Jo Miller" })
    await expect.poll(() => form.getByLabel("Name").inputValue()).toBe("Jo Miller")
    expect(await form.getByLabel("Phone number").inputValue()).toBe("+12025550111")
    await form.getByLabel("E-mail address").fill("jo@example.com")
    await form.getByLabel("Notes").fill("Prefers mornings")
    await form.getByLabel("Location").fill("Room 1")
    await form.getByLabel("Video link").fill("https://meet.example.com/1")
    await form.getByLabel("Video service").fill("Meet")
    await form.getByLabel("Takes place as a video conference").check()
    await form.getByLabel("Description").fill("Two questions")
    await form.getByLabel("Remind of the event").check()
    await form.getByLabel("Minutes before the start").fill("90")
    await form.getByLabel("Agent").selectOption({ label: "Ada" })
    await form.getByLabel("Team").selectOption({ label: "Sales" })
    await form.getByRole("button", { name: "Create" }).click()
    await dialogClosed(page)
    expect(await eventsOf("Special visit")).toMatchObject([
      {
        start_time: at(day, "10:00"),
        end_time: at(day, "11:00"),
        event_type: "video_call",
        status: "confirmed",
        customer: { name: "Jo Miller", phone: "+12025550111", email: "jo@example.com", notes: "Prefers mornings" },
        location: "Room 1",
        has_video_conference: true,
        video_conference_url: "https://meet.example.com/1",
        video_conference_provider: "Meet",
        description: "Two questions",
        is_reminder_enabled: true,
        remind_before_minutes: 90,
        ai_agent: { name: "Ada" },
        team: { name: "Sales" }
      }
    ])
  })

  it("asks before Escape, Back and a way to another page take away what was typed", async () => {
    await dashboard.open("/calls")
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Calendar", exact: true }).click()
    await page.getByRole("button", { name: "New event" }).click()
    const form = page.getByRole("dialog", { name: "New event" })
    const question = page.getByRole("dialog", { name: "Discard what you have changed?" })
    await page.keyboard.press("Escape")
    await dialogClosed(page)
    await page.getByRole("button", { name: "New event" }).click()
    await form.getByLabel("Title").fill("Long story")
    await page.keyboard.press("Escape")
    await question.waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press("Escape")
    await question.waitFor({ state: "detached" })
    await page.keyboard.press("Escape")
    await question.getByRole("button", { name: "Go on editing" }).click()
    await form.getByRole("button", { name: "Close" }).click()
    await question.getByRole("button", { name: "Go on editing" }).click()
    await page.goBack()
    await question.getByRole("button", { name: "Go on editing" }).click()
    expect(await form.getByLabel("Title").inputValue()).toBe("Long story")
    expect(page.url()).toMatch(/\/calendar$/)
    await page.keyboard.press("Escape")
    await question.getByRole("button", { name: "Discard" }).click()
    await dialogClosed(page)

    await dashboard.open(`/calendar?date=${day}`)
    await page.getByRole("region", { name: "Week" }).getByRole("button", { name: "Special visit" }).click()
    await dialog().getByRole("button", { name: "Change" }).click()
    await page.getByLabel("Location").fill("Room 2")
    await page.getByRole("button", { name: "Back", exact: true }).click()
    await question.getByRole("button", { name: "Discard" }).click()
    await page.getByRole("dialog", { name: "Special visit" }).getByText("Room 1").waitFor()
    const contact = page.getByRole("dialog").getByRole("link", { name: "Jo Miller" })
    expect(await contact.getAttribute("href")).toMatch(/\/contacts\/\d+$/)
    await page.getByRole("button", { name: "Change" }).click()
    await page.getByRole("button", { name: "Back", exact: true }).click()
    await page.getByRole("dialog", { name: "Special visit" }).waitFor()
    await page.keyboard.press("Escape")
    await dialogClosed(page)
  })

  it("shows overlapping free times as one range, and a click chooses the start below the pointer", async () => {
    const before = (await api.account.get()).slot_interval_minutes
    await api.account.patch({ slot_interval_minutes: 15 })
    await dashboard.open(`/calendar?date=${day}&minutes=60`)
    const range = page.getByRole("region", { name: "Week" }).getByRole("button", { name: /^11:00 AM – 3:00 PM free/ })
    await range.first().scrollIntoViewIfNeeded()
    const box = await range.first().boundingBox()
    // The range is four hours high.
    await range.first().click({ position: { x: 20, y: ((box?.height ?? 0) * 80) / 240 } })
    expect(await dialog().getByLabel("Start", { exact: true }).inputValue()).toMatch(/T12:15$/)
    await page.keyboard.press("Escape")
    await dialogClosed(page)
    await range.first().focus()
    await page.keyboard.press("Enter")
    expect(await dialog().getByLabel("Start", { exact: true }).inputValue()).toMatch(/T11:00$/)
    await page.keyboard.press("Escape")
    await page.setViewportSize({ width: 320, height: 800 })
    await page.locator("summary", { hasText: "free time" }).first().click()
    await page
      .getByRole("button", { name: /^1[01]:15 AM/ })
      .first()
      .waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.setViewportSize({ width: 1400, height: 1000 })
    await api.account.patch({ slot_interval_minutes: before })
  })

  it("shows today, and on a day after the last working day of a week the days that follow", async () => {
    await dashboard.open("/calendar")
    const { time_zone: timeZone } = await api.account.get()
    const today = new Intl.DateTimeFormat("en-US", { timeZone, weekday: "short" }).format(new Date())
    const heads = page.getByRole("region", { name: "Week" }).getByRole("heading")
    const current = page.locator("h3[aria-current=date]")
    expect(await current.textContent()).toContain(today)
    expect((await heads.first().textContent())?.slice(0, 3)).toBe(today === "Sat" ? "Sat" : "Sun")
  })

  it("moves an event by drag, after a question", async () => {
    await dashboard.open(`/calendar?date=${day}`)
    const block = page.getByRole("region", { name: "Week" }).getByRole("button", { name: "Special visit" })
    await block.scrollIntoViewIfNeeded()
    const box = await block.boundingBox()
    const [x, y] = [(box?.x ?? 0) + 20, (box?.y ?? 0) + 10]
    await page.mouse.move(x, y)
    await page.mouse.down()
    // An hour is as high as the event is.
    await page.mouse.move(x, y + (box?.height ?? 0), { steps: 4 })
    await page.mouse.up()
    await dialog().getByRole("heading", { name: "Move the event?" }).waitFor()
    await page.keyboard.press("Enter")
    await dialogClosed(page)
    expect(await eventsOf("Special visit")).toMatchObject([
      { start_time: at(day, "11:00"), end_time: at(day, "12:00") }
    ])
  })

  it("offers the free times of the day for a time that is taken, and moves the event to the one that is chosen", async () => {
    await dashboard.open(`/calendar?date=${day}`)
    await page.getByRole("region", { name: "Week" }).getByRole("button", { name: "Special visit" }).click()
    await dialog().getByRole("button", { name: "Change" }).click()
    await dialog().getByLabel("Start", { exact: true }).fill(`${day}T15:30`)
    await dialog().getByRole("button", { name: "Save" }).click()
    await dialog().getByText("This time is not free.").waitFor()
    await dialog().getByText("A busy time in iCloud or CalDAV is at 3:00 PM – 4:00 PM.").waitFor()
    const free = dialog().getByRole("list", { name: "Free on" })
    await free.getByRole("button", { name: "9:00 AM – 10:00 AM" }).click()
    expect(await violationsOf(page)).toEqual([])
    await dialog().getByRole("button", { name: "Save" }).click()
    await dialog().getByRole("heading", { name: "Special visit" }).waitFor()
    expect(await eventsOf("Special visit")).toMatchObject([
      { start_time: at(day, "09:00"), end_time: at(day, "10:00") }
    ])
  })

  it("cancels an event with a reason, which is added to its notes", async () => {
    await dashboard.open(`/calendar?date=${day}`)
    await page.getByRole("region", { name: "Week" }).getByRole("button", { name: "Special visit" }).click()
    await dialog().getByRole("button", { name: "Cancel the event" }).click()
    await dialog().getByLabel("Reason").fill("Jo is ill")
    await dialog().getByRole("button", { name: "Cancel the event" }).click()
    await dialog().getByText("Cancelled").waitFor()
    expect(await eventsOf("Special visit")).toMatchObject([
      { status: "cancelled", customer: { notes: "Prefers mornings\nJo is ill" } }
    ])
  })

  it("marks an event that was changed in another calendar, and shows what would be written there", async () => {
    const { id } = await api.calendar.create({
      title: "Contested visit",
      start_time: at(day, "13:00"),
      end_time: at(day, "13:30")
    })
    await expect
      .poll(async () => (await api.calendar.get(id)).external_calendars_status["apple"]?.status)
      .toBe("conflict")
    await dashboard.open(`/calendar?date=${day}`)
    const block = page
      .getByRole("region", { name: "Week" })
      .getByRole("button", { name: /Contested visit.*Changed elsewhere/ })
    await block.waitFor()
    expect(await violationsOf(page)).toEqual([])
    await block.click()
    await dialog().getByRole("button", { name: "Overwrite it in iCloud or CalDAV" }).click()
    const question = page.getByRole("dialog", { name: "Overwrite what was changed there?" })
    await question.getByText("1:00 PM – 1:30 PM").waitFor()
    await question.getByText(/^What was changed there is lost/).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await question.getByRole("button", { name: "Cancel" }).click()
    await page.keyboard.press("Escape")
    await dialogClosed(page)
    await api.calendar.cancel(id)
  })

  it("lists the webhook deliveries about an event when a person opens them", async () => {
    // The webhook of the demo was sent the events of its history.
    const { events } = await api.calendar.list({ end_date: daysAfter(day, -1), limit: 100 })
    const past = events.find(({ title }) => title.startsWith("Visit: "))
    const { deliveries } = await api.calendar.deliveries(past?.id ?? 0)
    expect(deliveries.map((delivery) => delivery.event_type)).toEqual(["calendar.created"])
    await dashboard.open(`/calendar?event=${past?.id ?? 0}`)
    await dialog().getByText("Webhook deliveries").click()
    const list = dialog().getByRole("region", { name: "Webhook deliveries" })
    await list.getByRole("row", { name: "calendar.created" }).getByText("Example receiver").waitFor()
    expect(await violationsOf(page)).toEqual([])
    await list.getByRole("link", { name: "calendar.created" }).click()
    await page.getByRole("heading", { name: "Delivery", exact: true }).waitFor()
  })

  it("shows a contact with its appointments, by number and address", async () => {
    const { contacts } = await api.contacts.list({ phone_number: "+12025550111" })
    await dashboard.open(`/contacts/${contacts[0]?.id ?? ""}`)
    const upcoming = page.getByRole("region", { name: "Upcoming appointments" })
    await upcoming.getByRole("row", { name: "Special visit" }).waitFor()
    await page.getByRole("heading", { name: "Past appointments" }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await upcoming.getByRole("row", { name: "Special visit" }).getByRole("link").click()
    await dialog().getByRole("heading", { name: "Special visit" }).waitFor()
    expect(page.url()).toMatch(/\/calendar\?date=[\d-]+&event=\d+$/)
  })

  it("shows what is wrong with a contact at the field", async () => {
    await dashboard.open("/contacts")
    await page.getByRole("button", { name: "Create a contact" }).click()
    await page.keyboard.type("12")
    await dialog().getByRole("button", { name: "Create" }).click()
    await dialog().getByText("One field needs a change. The text below it says which.").waitFor()
    const number = dialog().getByLabel("Phone number")
    expect(await number.getAttribute("aria-invalid")).toBe("true")
    expect(await number.inputValue()).toBe("12")
    expect(await violationsOf(page)).toEqual([])
  })

  it("asks no other server, and the policy of its pages refuses nothing that they need", () => {
    expect(dashboard.watched).toMatchObject({ errors: [], otherRequests: [] })
  })
})
