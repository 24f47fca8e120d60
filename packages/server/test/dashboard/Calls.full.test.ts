import { violationsOf } from "@frontdesk/test-browser/accessibility"
import { expect, it } from "vitest"
import { dashboardForTests, describeInBrowser } from "./describeInBrowser.ts"
import { dialogClosed, openSignedIn, problemAt, rowsOf, sent } from "./openDashboard.ts"

/** Returns a WAV file of silence of this length: 8 kHz, 8 bits, one channel. */
const silence = (seconds: number): Buffer => {
  const [rate, samples] = [8_000, Buffer.alloc(seconds * 8_000, 128)]
  const header = Buffer.alloc(44)
  header.write("RIFF", 0)
  header.writeUInt32LE(36 + samples.length, 4)
  header.write("WAVEfmt ", 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write("data", 36)
  header.writeUInt32LE(samples.length, 40)
  return Buffer.concat([header, samples])
}

describeInBrowser("the overview and the pages of calls", () => {
  const { api, button, dashboard, dialog, page } = dashboardForTests(() =>
    openSignedIn({ expected: /status of (400|403|404|409|422)/ })
  )

  const table = () => page.getByRole("region", { name: "Calls", exact: true })
  const statuses = async () => (await rowsOf(table())).map((cells) => cells[3])

  /** Returns the value of a figure or fact by its name. */
  const fact = (name: string) =>
    page
      .locator("div", { has: page.getByRole("term").getByText(name, { exact: true }) })
      .last()
      .getByRole("definition")

  it("shows the figures of GET /statistics, in numbers and as the table of each chart", async () => {
    const today = async () => (await api.statistics.get(query)).days.at(-1)
    const { time_zone } = await api.account.get()
    const end_date = new Intl.DateTimeFormat("sv-SE", { timeZone: time_zone }).format(Date.now())
    const start_date = new Date(Date.parse(end_date) - 29 * 86_400_000).toISOString().slice(0, 10)
    const query = { start_date, end_date }
    await expect.poll(async () => (await api.statistics.get(query)).is_complete).toBe(true)
    const before = await today()
    // A call of today, and one that has failed.
    for (const phone_number of ["+12025550111", "+12025550001"]) {
      const started = await api.calls.start({ phone_number, agent_id: "asst_ada" })
      if (!("call_id" in started)) throw new Error("The call was not started")
      await expect.poll(async () => (await api.calls.get(started.call_id)).ended_at).not.toBeNull()
    }
    await expect.poll(async () => (await api.statistics.get(query)).is_complete).toBe(true)
    const { days } = await api.statistics.get(query)
    const now = days.at(-1)
    const { answered = 0, calls = 0, deliveries = 0, failures = 0 } = now ?? {}
    expect([calls, answered]).toEqual([(before?.calls ?? 0) + 2, (before?.answered ?? 0) + 1])
    await dashboard.open("/")
    const number = (value = 0) => new Intl.NumberFormat("en-US").format(value)
    expect(await fact("Calls today").first().textContent()).toBe(number(calls))
    expect(await fact("Answered today").allTextContents()).toEqual([
      new Intl.NumberFormat("en-US", { style: "percent" }).format(answered / calls).replace("%", " %"),
      answered === 1 ? "1 call" : `${answered} calls`
    ])
    expect(await fact("Billed minutes today").first().textContent()).toBe(number(now?.minutes))
    expect(await fact("Bookings today").first().textContent()).toBe(number(now?.bookings))
    expect(await fact("Failed deliveries today").allTextContents()).toEqual([
      number(failures),
      `of ${number(deliveries + failures)}`
    ])
    expect(await fact("Tasks given up").first().textContent()).toBe("0")
    const { balance } = await api.funds.balance()
    expect(Number(await fact("Balance").first().textContent())).toBe(balance)

    for (const [title, field] of [
      ["Calls", "calls"],
      ["Billed minutes", "minutes"],
      ["Bookings", "bookings"],
      ["Webhook deliveries", "deliveries"]
    ] as const) {
      const chart = page.getByRole("figure").filter({ hasText: title }).first()
      await chart.getByText("As a table").click()
      if (field === "calls") {
        // The chart beside it stays as high as it was.
        const heights = await page.locator("main section", { has: page.getByRole("figure") }).all()
        const [open, beside] = await Promise.all(heights.slice(0, 2).map((one) => one.boundingBox()))
        expect(beside?.height ?? 0).toBeLessThan((open?.height ?? 0) / 2)
      }
      const shown = (await rowsOf(chart.getByRole("table"))).map((cells) => cells[1])
      expect(shown).toEqual(days.map((one) => number(one[field])))
      const total = days.reduce((sum, one) => sum + one[field], 0)
      expect(total).toBeGreaterThan(0)
      await chart.getByText(`${number(total)} ${field}`).waitFor()
    }
  })

  it("filters the calls, and the address has the filters", async () => {
    await dashboard.open("/calls")
    const { count } = await api.calls.list({ status: "busy" })
    await page.getByLabel("Status").selectOption("Busy")
    await page.getByText(`${count} calls`, { exact: true }).waitFor()
    expect(new Set(await statuses())).toEqual(new Set(["Busy"]))
    await page.reload()
    expect(await page.getByLabel("Status").inputValue()).toBe("busy")
    await page.getByText(`${count} calls`, { exact: true }).waitFor()
    await page.getByLabel("Direction").selectOption("Inbound")
    await page.getByText(/^No call has all/).waitFor()
    await page.getByRole("link", { name: "Show all calls" }).click()

    // The filter acts after a pause, without Enter.
    await page.getByLabel("Number or name").fill("555-0137")
    const ofNumber = await api.calls.list({ phone_number: "+12025550137" })
    await page.getByText(`${ofNumber.count} calls`, { exact: true }).waitFor()
    expect((await rowsOf(table())).every(([, who]) => who?.includes("+12025550137"))).toBe(true)
    await page.getByLabel("Number or name").fill("mil")
    const ofContact = await api.calls.list({ search: "miller" })
    await page.getByText(`${ofContact.count} calls`, { exact: true }).waitFor()
    await expect.poll(async () => (await rowsOf(table())).every(([, who]) => who?.includes("Jo Miller"))).toBe(true)
    expect(page.url()).toContain("search=mil")
    await page.getByLabel("Agent").selectOption("Ben")
    await page.getByText(/^No call has all/).waitFor()
    await page.getByRole("link", { name: "Show all calls" }).click()

    const { calls } = await api.calls.list({ limit: 100 })
    const date = calls.at(-1)?.created_at.slice(0, 10) ?? ""
    await page.getByLabel("From").fill(date)
    await page.getByLabel("To").fill(date)
    const ofDay = await api.calls.list({ start_date: date, end_date: date })
    await page.getByText(`${ofDay.count} calls`, { exact: true }).waitFor()
    await page.getByLabel("To").fill("2001-01-01")
    await page.getByText("To: It must not be before “From”.").waitFor()
  })

  it("leads through the pages of the list", async () => {
    const { count, pages } = await api.calls.list({ limit: 25 })
    expect(pages).toBe(2)
    await dashboard.open("/calls")
    await page.getByText(`${count} calls · page 1 of 2`).waitFor()
    expect(await statuses()).toHaveLength(25)
    expect(await button("Previous").isDisabled()).toBe(true)
    await button("Next").click()
    await page.getByText("page 2 of 2").waitFor()
    await expect.poll(statuses).toHaveLength(count - 25)
    expect(await button("Next").isDisabled()).toBe(true)
    await page.goBack()
    await page.getByText("page 1 of 2").waitFor()
  })

  it("shows what a call would be before it starts it, and hangs it up", async () => {
    const { count } = await api.calls.list()
    await dashboard.open("/calls")
    await button("Start a call").click()
    const phone = dialog().getByLabel("Phone number")
    await phone.fill("12")
    await button("Show what it would be").click()
    expect(await problemAt(phone)).not.toBe("")
    expect(await phone.inputValue()).toBe("12")
    // The simulated person of this number does not hang up.
    await phone.fill("+12025550005")
    const plan = await sent(page, "POST", "/calls", () => button("Show what it would be").click())
    const { agents } = await api.agents.list()
    const ada = agents.find(({ name }) => name === "Ada")?.id
    expect(plan).toEqual({ phone_number: "+12025550005", agent_id: ada, dry_run: true })
    await dialog().getByText("Held from the balance").waitFor()
    expect(await api.calls.list()).toMatchObject({ count })
    // A change of the form takes the plan away, so that no other call than the planned one is started.
    await phone.fill("+12025550004")
    expect(await button("Start the call").count()).toBe(0)
    await phone.fill("+12025550005")
    await button("Show what it would be").click()
    await button("Start the call").click()
    await dialogClosed(page)
    await page.getByRole("heading", { level: 1, name: "Call with +12025550005" }).waitFor()
    await expect.poll(() => fact("Status").innerText()).toBe("In progress")
    const { calls } = await api.calls.list({ phone_number: "+12025550005" })
    expect(calls).toMatchObject([{ status: "in_progress", agent: { name: "Ada" } }])
    await button("Hang up").click()
    await dialog().getByRole("button", { name: "Hang up" }).click()
    await dialogClosed(page)
    await expect.poll(() => fact("Status").innerText()).toBe("Completed")
    expect(await api.calls.get(calls[0]?.call_id ?? "")).toMatchObject({ status: "completed", ended_reason: "hung_up" })
    expect(await button("Hang up").count()).toBe(0)
  })

  it("gives a call values of its own", async () => {
    await dashboard.open("/calls")
    await button("Start a call").click()
    await dialog().getByLabel("Phone number").fill("+12025550111")
    await button("Add a value").click()
    await dialog().getByLabel("Name 1").fill("First Name")
    await dialog().getByLabel("Value 1").fill("Joanna")
    await button("Show what it would be").click()
    expect(await problemAt(dialog().getByLabel("Name 1"))).toMatch(/^This must be a name of 1 to 64 lower-case letters/)
    await dialog().getByLabel("Name 1").fill("first_name")
    await dialog()
      .getByRole("paragraph")
      .getByText(/^First name$/i)
      .waitFor()
    expect(await violationsOf(page)).toEqual([])
    await button("Add a value").click()
    await button("Remove value 2").click()
    const plan = await sent(page, "POST", "/calls", () => button("Show what it would be").click())
    expect(plan).toMatchObject({ variables: { first_name: "Joanna" }, dry_run: true })
    await dialog().getByText("Held from the balance").waitFor()
    expect(await dialog().getByRole("listitem").allInnerTexts()).toContain("first_name: Joanna")
    await button("Cancel").click()
    await dialogClosed(page)
  })

  it("does not start a call to a number that may not be called, and says so", async () => {
    const { id } = await api.contacts.create({
      first_name: "Quiet",
      phone_numbers: [{ phone_number: "+12025550177", do_not_call: true }]
    })
    await dashboard.open("/calls")
    await button("Start a call").click()
    await dialog().getByLabel("Phone number").fill("+12025550177")
    await button("Show what it would be").click()
    await dialog().getByRole("alert").waitFor()
    expect(await dialog().getByRole("alert").textContent()).toMatch(/do-not-call/i)
    await button("Cancel").click()
    await dialogClosed(page)
    expect(await api.calls.list({ phone_number: "+12025550177" })).toMatchObject({ count: 0 })
    await api.contacts.delete(id)
  })

  it("shows the transcript, the recording, the summary and the charges of a call", async () => {
    const [found] = (await api.calls.list({ phone_number: "+12025550111", status: "completed" })).calls
    const call = await api.calls.get(found?.call_id ?? "")
    await dashboard.open(`/calls/${call.call_id}`)
    const turns = await page
      .locator("section", { has: page.getByRole("heading", { name: "Transcript" }) })
      .getByRole("listitem")
      .allInnerTexts()
    expect(turns.map((turn) => turn.replace(/\s+/, ": "))).toEqual(call.transcript?.split("\n"))
    expect(call.recording_url).toMatch(/^https:/)
    expect(await page.locator("audio").getAttribute("src")).toBe(call.recording_url)
    await page.getByText(call.summary ?? "no summary", { exact: true }).waitFor()
    expect(Number(await fact("In all").innerText())).toBe(call.billing.total_charge)
    expect(await fact("Identifier").innerText()).toBe(call.call_id)
    await page.getByText("Amounts are in the currency of the account.").waitFor()
  })

  it("plays the recording of a call, which the browser loads only then", async () => {
    const [found] = (await api.calls.list({ phone_number: "+12025550111", status: "completed" })).calls
    const url = found?.recording_url ?? ""
    let requests = 0
    await page.route(url, (route) => {
      requests++
      return route.fulfill({ contentType: "audio/wav", body: silence(2) })
    })
    await dashboard.open(`/calls/${found?.call_id ?? ""}`)
    expect(requests).toBe(0)
    await page.evaluate("document.querySelector('audio').play()")
    await expect.poll(() => page.evaluate("document.querySelector('audio').currentTime")).toBeGreaterThan(0)
    expect(requests).toBeGreaterThan(0)
    await page.unroute(url)
  })

  it("says that there is no such call, and leads to the list", async () => {
    await dashboard.open("/calls/call_unknown")
    await page.getByText("No such call").waitFor()
    expect(await button("Try again").count()).toBe(0)
    await page.getByRole("link", { name: "All calls" }).last().click()
    await table().waitFor()
    await dashboard.open("/calendar?event=999999")
    await dialog().getByText("There is no such event.").waitFor()
    await button("Show the calendar").click()
    await dialogClosed(page)
  })

  it("lists the webhook deliveries about a call, and each leads to its page", async () => {
    // Only the calls of the demo's history have deliveries, because its webhook is turned off.
    const found = (await api.calls.list({ status: "completed", limit: 100 })).calls.at(-1)
    const { deliveries } = await api.calls.deliveries(found?.call_id ?? "", { limit: 10 })
    expect(deliveries.length).toBeGreaterThan(0)
    const names = new Map((await api.webhooks.list()).webhooks.map(({ id, name }) => [id, name]))
    await dashboard.open(`/calls/${found?.call_id ?? ""}`)
    const rows = await rowsOf(page.getByRole("region", { name: "Webhook deliveries" }))
    expect(rows.map(([event, webhook]) => [event?.split(/\s/)[0], webhook])).toEqual(
      deliveries.map((one) => [one.event_type, names.get(one.webhook_id)])
    )
    expect(rows[0]?.[3]).toMatch(/^1 attempt\s+answer (200|500)$/)
    const [newest] = deliveries
    await page
      .getByRole("link", { name: newest?.event_type ?? "", exact: true })
      .first()
      .click()
    await page.getByRole("heading", { name: "Delivery", exact: true }).waitFor()
    expect(page.url()).toMatch(new RegExp(`/webhooks/${newest?.webhook_id ?? 0}/deliveries/${newest?.id ?? ""}$`))
    await page
      .getByText(newest?.id ?? "", { exact: true })
      .first()
      .waitFor()
  })

  it("causes no error in the browser", () => {
    expect(dashboard.watched).toMatchObject({ errors: [], otherRequests: [] })
  })
})
