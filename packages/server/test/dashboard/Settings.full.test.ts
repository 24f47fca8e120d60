import { createClient } from "@frontdesk/client"
import { expect, it } from "vitest"
import { dashboardForTests, describeInBrowser } from "./describeInBrowser.ts"
import { dialogClosed, problemAt, rowsOf, sent } from "./openDashboard.ts"

describeInBrowser("the pages of the account and of API keys", () => {
  const { api, button, dashboard, dialog, page } = dashboardForTests()

  const field = (name: string) => page.getByLabel(name, { exact: true })
  /** Waits until the page says in sight that it has saved. */
  const saved = async () => {
    await page.getByText("Saved", { exact: true }).waitFor()
    expect((await page.getByText("Saved", { exact: true }).boundingBox())?.height).toBeGreaterThan(20)
  }
  const patched = () => sent(page, "PATCH", "/account/update", () => button("Save").click())

  it("changes the time zone and the rules of booking, and sends only what was changed", async () => {
    await dashboard.open("/settings/account")
    await field("Time zone").fill("Mars/Base")
    await field("Minimum notice in minutes").fill("90")
    await page.getByText("2 settings are changed and not saved.").waitFor()
    await button("Save").click()
    expect(await problemAt(field("Time zone"))).toBe("Write the name of a time zone, such as Europe/Berlin.")
    await page.getByText("Not saved. The settings with problems are marked.").waitFor()
    expect(await field("Time zone").inputValue()).toBe("Mars/Base")
    await field("Time zone").fill("Europe/Berlin")
    await page.getByText("No time sooner than this is offered. It is 1 hour 30 minutes.").waitFor()
    await field("Minutes kept free before each appointment").fill("5")
    await field("Minutes kept free after each appointment").fill("10")
    await field("Minutes between the starts of free times").fill("15")
    const conflicts = page.getByLabel("Refuse an appointment that overlaps another one")
    const refuses = await conflicts.isChecked()
    await conflicts.setChecked(!refuses)
    const changes = {
      time_zone: "Europe/Berlin",
      slot_interval_minutes: 15,
      buffer_before_minutes: 5,
      buffer_after_minutes: 10,
      minimum_notice_minutes: 90,
      reject_conflicts: !refuses
    }
    expect(await patched()).toEqual(changes)
    await saved()
    expect(await api.account.get()).toMatchObject(changes)
    // The whole dashboard has the new zone at once.
    await page.getByText("Times are in Europe/Berlin.").first().waitFor()
    await field("Minutes between the starts of free times").fill("")
    expect(await patched()).toEqual({ slot_interval_minutes: null })
    await saved()
    expect(await api.account.get()).toMatchObject({ slot_interval_minutes: null })
  })

  it("changes the working hours, after it has shown at their day that they are wrong", async () => {
    const { working_hours: before } = await api.account.get()
    await dashboard.open("/settings/account")
    await button("Add hours on Wednesday").click()
    await page.getByLabel("Start on Wednesday, range 2").fill("16:00")
    await page.getByLabel("End on Wednesday, range 2").fill("15:30")
    await button("Save").click()
    await expect.poll(() => page.getByLabel("Start on Wednesday, range 2").getAttribute("aria-invalid")).toBe("true")
    await page.getByText("The start must be before the end.").waitFor()
    expect(await page.getByLabel("Start on Wednesday, range 2").inputValue()).toBe("16:00")
    await page.getByLabel("Start on Wednesday, range 2").fill("11:00")
    await page.getByText("Two times of this day overlap. Change or remove one.").waitFor()
    await page.getByText("Some hours have a problem. Change them before you save.").waitFor()
    await button("Save").click()
    expect(await api.account.get()).toMatchObject({ working_hours: before })
    await page.getByLabel("Start on Wednesday, range 2").fill("13:00")
    await button("Remove the range 09:00 to 15:00 on Friday").click()
    await button("Add hours on Saturday").click()
    await page.getByLabel("End on Saturday").fill("00:00")
    expect(await patched()).toMatchObject({
      working_hours: {
        wed: [
          ["09:00", "12:00"],
          ["13:00", "15:30"]
        ],
        fri: [],
        sat: [["09:00", "24:00"]]
      }
    })
    await saved()
    const { working_hours: after } = await api.account.get()
    expect(after).toMatchObject({
      mon: before.mon,
      wed: [
        ["09:00", "12:00"],
        ["13:00", "15:30"]
      ],
      sat: [["09:00", "24:00"]]
    })
    expect(after.fri ?? []).toEqual([])
    expect(await page.getByLabel("End on Saturday").inputValue()).toBe("00:00")
    await button("Copy to all days the hours of Wednesday").click()
    await patched()
    await saved()
    const { working_hours: all } = await api.account.get()
    expect(new Set(Object.values(all).map((ranges) => JSON.stringify(ranges)))).toEqual(
      new Set([
        JSON.stringify([
          ["09:00", "12:00"],
          ["13:00", "15:30"]
        ])
      ])
    )
  })

  it("gives a date hours of its own, and takes them away again", async () => {
    await dashboard.open("/settings/account")
    await field("Date").fill("2031-12-24")
    await button("Add as closed").click()
    await field("Date").fill("2031-12-24")
    expect(await problemAt(field("Date"))).toBe("The date is in the list")
    expect(await button("Add as closed").isDisabled()).toBe(true)
    await field("Date").fill("2031-12-31")
    await field("Date").press("Enter")
    await button("Add hours on Wednesday, December 31, 2031").click()
    await page.getByLabel("End on Wednesday, December 31, 2031").fill("12:30")
    expect(await patched()).toEqual({ date_overrides: { "2031-12-24": [], "2031-12-31": [["09:00", "12:30"]] } })
    await saved()
    expect((await api.account.get()).date_overrides).toEqual({
      "2031-12-24": [],
      "2031-12-31": [["09:00", "12:30"]]
    })
    await button("Remove Wednesday, December 24, 2031").click()
    await patched()
    await saved()
    expect((await api.account.get()).date_overrides).toEqual({ "2031-12-31": [["09:00", "12:30"]] })
  })

  it("adds no date of the past, and takes away those that have passed", async () => {
    const { date_overrides: before } = await api.account.get()
    await api.account.patch({ date_overrides: { ...before, "2020-12-24": [] } })
    await dashboard.open("/settings/account")
    await field("Date").fill("2020-12-25")
    expect(await problemAt(field("Date"))).toBe("The date is in the past. Choose today or a later date.")
    expect(await button("Add as closed").isDisabled()).toBe(true)
    await field("Date").fill("")
    await page.getByText("Past", { exact: true }).waitFor()
    await button("Remove past dates").click()
    expect(await patched()).toEqual({ date_overrides: before })
    await saved()
  })

  it("changes which labels contacts may have, and what callers and agents may do", async () => {
    await dashboard.open("/settings/account")
    await page.getByLabel("Allow only some values. Otherwise a status is any text.").check()
    await page.getByLabel("Allowed values of status").fill(`new\n${"long ".repeat(20)}`)
    await button("Save").click()
    expect(await problemAt(page.getByLabel("Allowed values of status"))).not.toBe("")
    await page.getByLabel("Allowed values of status").fill("new\n\nknown\nnew")
    await field("A person who calls from the number of a contact").selectOption("is trusted to be the contact")
    await field("A call from an unknown number").selectOption("adds a contact")
    const website = page.getByLabel("Website", { exact: true })
    const mayChange = await website.isChecked()
    await website.setChecked(!mayChange)
    await patched()
    await saved()
    const account = await api.account.get()
    expect(account).toMatchObject({
      contact_statuses: ["new", "known"],
      inbound_identity: "trusted",
      inbound_contacts: "create"
    })
    expect(account.agent_contact_fields.includes("website")).toBe(!mayChange)
  })

  it("asks before a person leaves changes behind, and discards them", async () => {
    const { name } = await api.account.get()
    await dashboard.open("/settings/account")
    await field("Name").fill("Another name")
    await page.getByRole("link", { name: "Contacts" }).first().click()
    await dialog().getByRole("heading", { name: "Discard what you have changed?" }).waitFor()
    await button("Go on editing").click()
    await dialogClosed(page)
    expect(await field("Name").inputValue()).toBe("Another name")
    await button("Discard").click()
    expect(await field("Name").inputValue()).toBe(name)
    await field("Name").fill("Another name")
    await page.getByRole("link", { name: "Contacts" }).first().click()
    await dialog().getByRole("button", { name: "Discard" }).click()
    await page.getByRole("heading", { level: 1, name: "Contacts" }).waitFor()
    expect(await api.account.get()).toMatchObject({ name })
  })

  it("shows the rules for outgoing calls, and leads to the numbers that are never called", async () => {
    const { max_running_calls: maximum } = await api.account.get()
    await dashboard.open("/settings/account")
    await page.getByText(`At most ${maximum}, set by the operator`, { exact: true }).waitFor()
    await page.getByText(/^Must cover the first minute, 0\.\d+$/).waitFor()
    await page.getByRole("link", { name: "Numbers that are never called" }).click()
    await page.getByRole("heading", { level: 1, name: "Do not call" }).waitFor()
  })

  it("says in which currency the amounts are", async () => {
    await dashboard.open("/settings/account")
    await page.getByText(/^All amounts are in the currency that you have agreed on with the operator/).waitFor()
  })

  it("shows the movements of the balance, by their kinds and page by page", async () => {
    await dashboard.open("/settings/account")
    const table = page.getByRole("region", { name: "Movements of the balance" })
    const amounts = async () => (await rowsOf(table)).map(([, , amount]) => Number(amount))
    const { count, movements } = await api.funds.movements({ limit: 20 })
    await page.getByText(`${count} movements · page 1 of ${Math.ceil(count / 20)}`).waitFor()
    expect(await amounts()).toEqual(movements.map(({ amount }) => amount))
    const second = await api.funds.movements({ limit: 20, page: 2 })
    await button("Next").click()
    await expect.poll(amounts).toEqual(second.movements.map(({ amount }) => amount))
    const deposits = await api.funds.movements({ kind: "deposit" })
    await field("Kind").selectOption("Paid in")
    await page.getByText("1 movement", { exact: true }).waitFor()
    await expect.poll(amounts).toEqual(deposits.movements.map(({ amount }) => amount))
    await field("Kind").selectOption("Charged for a call")
    await table.getByRole("link").first().click()
    await page.getByRole("heading", { level: 1, name: /^Call with/ }).waitFor()
  })

  /** Returns the value of a key in the open dialog, and closes the dialog. */
  const storeValue = async () => {
    const value = (await dialog().getByRole("code").textContent()) ?? ""
    await button("I have stored it").click()
    await dialogClosed(page)
    expect(await page.content()).not.toContain(value)
    return value
  }
  const keyOf = async (name: string) => {
    const { api_keys: keys } = await api.apiKeys.list()
    return keys.find((key) => key.name === name)
  }
  /** Returns a client that uses a key. */
  const as = (apiKey: string) => createClient({ baseUrl: dashboard.server.url, apiKey })
  let value = ""

  it("creates a key with some permissions, after it has shown what is wrong", async () => {
    await dashboard.open("/settings/keys")
    await button("Create an API key").click()
    await field("Name").fill("Reports")
    await field("Expires").fill("2001-01-01T10:00")
    await button("Create").click()
    await dialog().getByText("Choose at least one permission.").waitFor()
    await page.getByLabel("See calls with their transcripts and recordings").check()
    await button("Create").click()
    expect(await problemAt(field("Expires"))).not.toBe("")
    expect(await field("Name").inputValue()).toBe("Reports")
    expect(await page.getByLabel("See calls with their transcripts and recordings").isChecked()).toBe(true)
    await field("Expires").fill("2035-06-01T10:00")
    await field("Value begins with").selectOption("fd_test_")
    await button("Create").click()
    await dialog().getByRole("heading", { name: "API key created" }).waitFor()
    value = await storeValue()
    expect(value).toMatch(/^fd_test_/)
    expect(await keyOf("Reports")).toMatchObject({
      permissions: ["can_read_calls"],
      status: "active",
      // 10:00 in Berlin, the time zone of the account.
      expires_at: "2035-06-01T08:00:00.000Z"
    })
    expect((await as(value).calls.list()).count).toBeGreaterThan(0)
    await expect(as(value).contacts.list()).rejects.toMatchObject({ code: "permission_denied" })
  })

  it("replaces the value of a key, and both values work for a while", async () => {
    const previous = value
    await dashboard.open("/settings/keys")
    await button("Replace the value of Reports").click()
    await field("The present value of the key").selectOption("works for another hour")
    await button("Replace").click()
    await dialog().getByRole("heading", { name: "New value" }).waitFor()
    value = await storeValue()
    expect(value).not.toBe(previous)
    for (const working of [previous, value]) expect((await as(working).calls.list()).count).toBeGreaterThan(0)
    await page.getByText(/^previous value works until/).waitFor()
    await button("Replace the value of Reports").click()
    await field("The present value of the key").selectOption("stops at once")
    await page.getByLabel(/^End the older value now/).check()
    await button("Replace").click()
    await dialog().getByRole("heading", { name: "New value" }).waitFor()
    const next = await storeValue()
    for (const old of [previous, value])
      await expect(as(old).calls.list()).rejects.toMatchObject({ code: "invalid_key" })
    value = next
    expect((await as(value).calls.list()).count).toBeGreaterThan(0)
  })

  it("revokes a key after a confirmation", async () => {
    await dashboard.open("/settings/keys")
    await button("Revoke Reports").click()
    await dialog()
      .getByText(/^It was last used on/)
      .waitFor()
    await button("Cancel").click()
    expect(await keyOf("Reports")).toMatchObject({ status: "active" })
    await button("Revoke Reports").click()
    await dialog().getByRole("button", { name: "Revoke" }).click()
    await dialogClosed(page)
    expect(await keyOf("Reports")).toMatchObject({ status: "revoked" })
    await expect(as(value).calls.list()).rejects.toMatchObject({ status: 401 })
    await expect.poll(() => button("Revoke Reports").count()).toBe(0)
  })

  it("causes no error in the browser", () => {
    expect(dashboard.watched).toMatchObject({ errors: [], otherRequests: [] })
  })
})
