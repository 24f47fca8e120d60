import * as MailServer from "@frontdesk/provider-fakes/mail/MailServer"
import { read } from "@frontdesk/provider-fakes/mail/Reading"
import { signInBy } from "@frontdesk/test-browser/showPage"
import { afterAll, beforeAll, expect, it } from "vitest"
import { dashboardForTests, describeInBrowser } from "./describeInBrowser.ts"
import { dialogClosed, openSignedIn, publicSettings, rowsOf } from "./openDashboard.ts"

describeInBrowser("the dashboard of a server that sends mail", () => {
  let mail: MailServer.MailServer
  /** Whether the mail server refuses every address for good, so that a mail is given up after one attempt. */
  let isRefusing = false

  beforeAll(async () => {
    mail = await MailServer.open({
      disabledCommands: ["AUTH", "STARTTLS"],
      onRcptTo: (_, __, done) =>
        done(isRefusing ? Object.assign(new Error("no such mailbox"), { responseCode: 550 }) : null)
    })
  })
  afterAll(() => mail[Symbol.asyncDispose]())

  const { api, button, dashboard, dialog, page } = dashboardForTests(async () =>
    openSignedIn({
      settings: {
        ...(await publicSettings()),
        FRONTDESK_MAIL_URL: `smtp://127.0.0.1:${mail.port}`,
        FRONTDESK_MAIL_FROM: "Front desk <desk@example.com>",
        FRONTDESK_MAIL_ALLOW_INSECURE: "true"
      }
    })
  )

  const purposes = async () =>
    (await rowsOf(page.getByRole("region", { name: "Tasks given up" }))).map(([task]) => task?.split("\n")[0])
  const count = async () => (await api.tasks.list()).count

  /** Books an appointment at an hour of a working day, whose invitation the mail server refuses. */
  const bookRefused = async (hour: number) => {
    const before = await count()
    await api.calendar.create({
      title: `Visit at ${hour}`,
      start_time: `2030-01-07T${hour}:00:00`,
      end_time: `2030-01-07T${hour}:30:00`,
      customer_name: "Zoë",
      customer_email: `customer${hour}@example.com`
    })
    await expect.poll(count).toBe(before + 1)
  }

  /** Returns the sign-in link in the newest mail to an address. */
  const linkIn = async (address: string) => {
    const arrived = () => mail.arrivals.findLast(({ to }) => to.includes(address))
    await expect.poll(arrived).toBeDefined()
    const { text = "" } = await read(arrived()?.bytes ?? "")
    return /http\S+\/sign-in\/\S+/.exec(text)?.[0] ?? ""
  }

  it("lists the tasks given up with the reason, by their kind", async () => {
    isRefusing = true
    await bookRefused(10)
    await bookRefused(11)
    await dashboard.open("/settings/people")
    await button("Invite a person").click()
    await dialog().getByLabel("Name").fill("Ann Lee")
    await dialog().getByLabel("E-mail address").fill("ann@example.com")
    expect(await dialog().getByLabel("Mail the person a sign-in link").isChecked()).toBe(true)
    await button("Add").click()
    await dialog().getByText("A sign-in link is on its way to ann@example.com.").waitFor()
    await expect.poll(count).toBe(3)
    await dashboard.open("/tasks")
    const invitation = "Mail that invites a person"
    const booked = "Mail about a new appointment"
    expect(await purposes()).toEqual([invitation, booked, booked])
    const { time_zone: zone } = await api.account.get()
    await page.getByText(`here until a person retries it. Times are in ${zone.replaceAll("_", " ")}.`).waitFor()
    expect(await page.getByText("The mail server has refused the mail or an address.").count()).toBe(3)
    await page.getByLabel("Kind").selectOption("Mails with sign-in links")
    await expect.poll(purposes).toEqual([invitation])
    await page.getByLabel("Kind").selectOption("Changes of external calendars")
    await page.getByText("No task of this kind was given up").waitFor()
    expect(await button("Retry all of this kind").count()).toBe(0)
    await page.goto(`${dashboard.server.url}/dashboard/`)
    await page
      .locator("div", { hasText: /^Tasks given up3/ })
      .last()
      .waitFor()
  })

  it("tries one task again, which returns when it fails again", async () => {
    const ids = async () => (await api.tasks.list({ kind: "mail" })).tasks.map(({ id }) => id)
    const retry = (id = 0) => button(`Retry task ${id}: Mail about a new appointment`)
    const [first, second] = await ids()
    await dashboard.open("/tasks")
    await retry(first).click()
    await page.getByText("The task runs again. If it fails again, it returns here.").waitFor()
    // It fails again, and is given up as a new task.
    await expect.poll(async () => (await ids()).filter((id) => id !== first)).toHaveLength(2)
    isRefusing = false
    const again = (await ids()).find((id) => id !== second)
    await dashboard.open("/tasks")
    await retry(again).click()
    await expect.poll(() => retry(again).count()).toBe(0)
    await expect.poll(() => mail.arrivals.length).toBe(1)
    expect(await ids()).toEqual([second])
  })

  it("tries all tasks of a kind again, and then all", async () => {
    await dashboard.open("/tasks")
    await page.getByLabel("Kind").selectOption("Mails with sign-in links")
    await button("Retry all of this kind").click()
    await dialog().getByRole("button", { name: "Retry all" }).click()
    await dialogClosed(page)
    await page.getByText("1 task runs again. What fails again returns here.").waitFor()
    expect((await api.tasks.list()).tasks).toMatchObject([{ kind: "mail" }])
    isRefusing = true
    await bookRefused(12)
    isRefusing = false
    await dashboard.open("/tasks")
    await button("Retry all").click()
    await button("Cancel").click()
    expect(await count()).toBe(2)
    await button("Retry all").click()
    await dialog().getByRole("button", { name: "Retry all" }).click()
    await page.getByText("2 tasks run again. What fails again returns here.").waitFor()
    await page.getByText("No task was given up").waitFor()
    await expect.poll(count).toBe(0)
    await expect.poll(() => mail.arrivals.length).toBe(4)
  })

  it("lists the tasks of all accounts to the operator, who tries them again", async () => {
    isRefusing = true
    for (const hour of [13, 14]) await bookRefused(hour)
    isRefusing = false
    const before = mail.arrivals.length
    const { id } = await api.account.get()
    await dashboard.open("/operator")
    const tasks = async () => (await rowsOf(page.getByRole("region", { name: "Tasks given up" }))).map(([task]) => task)
    const shown = new RegExp(`^Mail about a new appointment\\s+Account ${id}$`)
    expect(await tasks()).toEqual([expect.stringMatching(shown), expect.stringMatching(shown)])
    await page
      .getByRole("link", { name: `Account ${id}` })
      .first()
      .click()
    expect(new URL(page.url()).searchParams.get("search")).toBe(String(id))
    await page
      .getByRole("button", { name: /^Retry task \d+: Mail about a new appointment$/ })
      .first()
      .click()
    await expect.poll(async () => (await tasks()).length).toBe(1)
    await page.getByLabel("Kind").selectOption("Mails to customers")
    await button("Retry all of this kind").click()
    await dialog().getByRole("button", { name: "Retry all" }).click()
    await page.getByText("No task of this kind was given up").waitFor()
    await expect.poll(count).toBe(0)
    await expect.poll(() => mail.arrivals.length).toBe(before + 2)
    const { entries } = await api.audit.list({ operation: "tasks.retryAll" })
    expect(entries[0]).toMatchObject({ actor: { type: "operator" } })
  })

  it("mails a sign-in link to a member who enters their address", async () => {
    await signInBy(page, await linkIn("ann@example.com"))
    await api.members.create({ name: "Bo Guest", email: "bo@example.com", role: "viewer" })
    const before = mail.arrivals.length
    for (const address of ["stranger@example.com", "bo@example.com"]) {
      await dashboard.context.clearCookies()
      await page.goto(`${dashboard.server.url}/dashboard/`)
      await page.getByLabel("E-mail address").fill(address)
      await button("Mail me a sign-in link").click()
      // The answer is the same for an address that no member has.
      await page.getByRole("heading", { name: "Look at your mail" }).waitFor()
    }
    await signInBy(page, await linkIn("bo@example.com"))
    await page.getByText("Bo Guest").first().waitFor()
    expect(mail.arrivals).toHaveLength(before + 1)
  })

  it("causes no error in the browser", () => {
    expect(dashboard.watched).toMatchObject({ errors: [], otherRequests: [] })
  })
})
