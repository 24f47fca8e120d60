import { violationsOf } from "@frontdesk/test-browser/accessibility"
import { pageShown } from "@frontdesk/test-browser/showPage"
import { expect, it } from "vitest"
import { dashboardForTests, describeInBrowser } from "./describeInBrowser.ts"
import { dialogClosed, downloaded, openSignedIn, problemAt, rowsOf, sent } from "./openDashboard.ts"

describeInBrowser("the pages of contacts", () => {
  const { api, button, dashboard, dialog, page } = dashboardForTests(() =>
    openSignedIn({ expected: /status of (400|403|404|409|422)/ })
  )

  const table = () => page.getByRole("region", { name: "Contacts", exact: true })
  const save = () => dialog().getByRole("button", { name: "Save" }).click()

  /** Returns the only contact with an e-mail address, as the API has it. */
  const contactOf = async (email: string) => {
    const { contacts } = await api.contacts.list({ search: email })
    expect(contacts).toHaveLength(1)
    return api.contacts.get(contacts[0]?.id ?? 0)
  }

  it("creates a contact, after it has shown at its field which number is wrong", async () => {
    await dashboard.open("/contacts")
    await button("Create a contact").click()
    const field = (name: string) => dialog().getByLabel(name, { exact: true })
    await field("Phone number").fill("call me")
    await field("First name").fill("Ann")
    await field("Last name").fill("O’Hara")
    await field("E-mail address").fill("ann@example.com")
    await field("Tags").fill("vip\nboat")
    await field("Address").fill("1 Pier\nDock 2")
    await button("Create").click()
    expect(await problemAt(field("Phone number"))).toBe("Write the number with its country code, as in +12025550123.")
    expect(await field("Phone number").inputValue()).toBe("call me")
    expect(await field("First name").inputValue()).toBe("Ann")
    await field("Phone number").fill("+12025550180")
    await button("Create").click()
    await page.getByRole("heading", { level: 1, name: "Ann O’Hara" }).waitFor()
    expect(await contactOf("ann@example.com")).toMatchObject({
      first_name: "Ann",
      last_name: "O’Hara",
      tags: ["vip", "boat"],
      address: "1 Pier\nDock 2",
      company: null,
      phone_numbers: [{ phone_number: "+12025550180", primary: true, do_not_call: false }]
    })
  })

  it("finds contacts by a search, a tag and a number, and offers the way back to all", async () => {
    await dashboard.open("/contacts")
    const names = async () => (await rowsOf(table())).map(([name]) => name?.split("\n")[0])
    await expect.poll(names).toEqual(["Ann O’Hara", "Max Stone", "Jo Miller"])
    const filter = async (name: string, text: string) => {
      await page.getByLabel(name, { exact: true }).fill(text)
      await page.getByLabel(name, { exact: true }).press("Enter")
    }
    // Without Enter, the filter acts after a pause.
    await page.getByLabel("Name, e-mail or company", { exact: true }).pressSequentially("miller")
    await expect.poll(names).toEqual(["Jo Miller"])
    await filter("Name, e-mail or company", "")
    await filter("Tag", "boat")
    await expect.poll(names).toEqual(["Ann O’Hara"])
    await filter("Phone number", "+12025550112")
    await page.getByText(/^No contact has all/).waitFor()
    await filter("Tag", "")
    await expect.poll(names).toEqual(["Max Stone"])
    await filter("Name, e-mail or company", "a name without a contact")
    await page.getByRole("link", { name: "Show all contacts" }).click()
    await expect.poll(names).toHaveLength(3)
    expect(await page.getByLabel("Phone number", { exact: true }).inputValue()).toBe("")
  })

  it("sends only the fields that a person has changed", async () => {
    const before = await contactOf("ann@example.com")
    await dashboard.open(`/contacts/${before.id}`)
    await button("Change").click()
    await dialog().getByLabel("Website").fill("ftp://example.com")
    await save()
    expect(await problemAt(dialog().getByLabel("Website"))).toMatch(/http/)
    await dialog().getByLabel("Website").fill("https://example.com/ann")
    await dialog().getByLabel("Tags").fill("vip")
    await page.keyboard.press("Escape")
    await button("Go on editing").click()
    const body = await sent(page, "PATCH", `/contacts/${before.id}/update`, save)
    expect(body).toEqual({ website: "https://example.com/ann", tags: ["vip"] })
    await dialogClosed(page)
    const { updated_at: _, ...others } = before
    expect(await contactOf("ann@example.com")).toMatchObject({
      ...others,
      website: "https://example.com/ann",
      tags: ["vip"]
    })
    expect(await page.getByRole("link", { name: "https://example.com/ann" }).getAttribute("href")).toBe(
      "https://example.com/ann"
    )
  })

  it("adds a number that may not be called, and changes which number is the primary one", async () => {
    const { id } = await contactOf("ann@example.com")
    const numbers = async () =>
      (await api.contacts.get(id)).phone_numbers
        .map(({ do_not_call, phone_number, phone_type, primary }) => ({
          do_not_call,
          phone_number,
          phone_type,
          primary
        }))
        .toSorted((one, other) => one.phone_number.localeCompare(other.phone_number))
    const [first, second] = [
      { phone_number: "+12025550180", phone_type: null, primary: true, do_not_call: false },
      { phone_number: "+12025550181", phone_type: "mobile", primary: false, do_not_call: true }
    ]
    const number = () => dialog().getByLabel("Phone number", { exact: true })
    await dashboard.open(`/contacts/${id}`)
    await button("Add a phone number").click()
    await number().fill("12")
    await dialog().getByLabel("Kind").fill("mobile")
    await dialog()
      .getByLabel(/^Do not call/)
      .check()
    await save()
    expect(await problemAt(number())).not.toBe("")
    expect(
      await dialog()
        .getByLabel(/^Do not call/)
        .isChecked()
    ).toBe(true)
    await number().fill("+12025550181")
    await save()
    await dialogClosed(page)
    expect(await numbers()).toMatchObject([first, second])
    expect(await button("Call +12025550181").count()).toBe(0)
    await button("Change +12025550181").click()
    await dialog()
      .getByLabel(/^Primary number/)
      .check()
    await dialog()
      .getByLabel(/^Do not call/)
      .uncheck()
    await save()
    await dialogClosed(page)
    expect(await numbers()).toMatchObject([
      { ...first, primary: false },
      { ...second, primary: true, do_not_call: false }
    ])
    await button("Call +12025550181").waitFor()
  })

  it("removes a number after a question, and another becomes the primary one", async () => {
    const { id } = await contactOf("ann@example.com")
    const numbers = async () => (await api.contacts.get(id)).phone_numbers.map((one) => [one.phone_number, one.primary])
    await dashboard.open(`/contacts/${id}`)
    await button("Remove +12025550181").click()
    await dialog().getByText("The first of its other numbers becomes the primary one.").waitFor()
    await dialog().getByRole("button", { name: "Cancel" }).click()
    expect(await numbers()).toHaveLength(2)
    await button("Remove +12025550181").click()
    await dialog().getByRole("button", { name: "Remove" }).click()
    await dialogClosed(page)
    await expect.poll(() => button("Remove +12025550181").count()).toBe(0)
    expect(await numbers()).toEqual([["+12025550180", true]])
  })

  it("adds, changes and removes own values, and checks them by the type of their variable", async () => {
    await api.variables.create({
      name: "visits",
      display_name: "Visits",
      context_type: "contact",
      variable_type: "number"
    })
    const { id } = await contactOf("ann@example.com")
    await api.contacts.patch(id, { custom_context: { old: "gone soon", stays: [1, { two: 2 }] } })
    await dashboard.open(`/contacts/${id}`)
    await button("Change own values").click()
    await button("Remove old").click()
    await button("Add a value").click()
    const last = () => dialog().getByRole("group").last()
    await last().getByLabel("Name").fill("visits")
    await last().getByText("Number, by the variable").waitFor()
    await last().getByLabel("Value", { exact: true }).fill("often")
    await save()
    expect(await problemAt(last().getByLabel("Value", { exact: true }))).toBe("This is not a number.")
    await last().getByLabel("Value", { exact: true }).fill("3")
    const body = await sent(page, "PATCH", `/contacts/${id}/update`, save)
    expect(body).toEqual({ custom_context: { old: null, visits: 3 } })
    await dialogClosed(page)
    expect((await api.contacts.get(id)).custom_context).toEqual({ visits: 3, stays: [1, { two: 2 }] })

    await button("Change industry values").click()
    await button("Add a value").click()
    await last().getByLabel("Name").fill("fleet")
    await last().getByLabel("Kind").selectOption("List or object")
    await last().getByLabel("Value", { exact: true }).fill("[1,")
    await save()
    expect(await problemAt(last().getByLabel("Value", { exact: true }))).toContain("not JSON")
    await last().getByLabel("Value", { exact: true }).fill('["tug"]')
    await save()
    await dialogClosed(page)
    expect((await api.contacts.get(id)).industry_context).toEqual({ fleet: ["tug"] })
  })

  it("calls a contact from its page, also when another contact has the same number", async () => {
    const { id } = await contactOf("ann@example.com")
    const { id: twin } = await api.contacts.create({
      first_name: "Twin",
      phone_numbers: [{ phone_number: "+12025550180" }]
    })
    await dashboard.open(`/contacts/${id}`)
    const numbers = page.locator("section", { has: page.getByRole("heading", { name: "Phone numbers" }) })
    await numbers.getByRole("link", { name: "Twin" }).waitFor()
    await numbers.getByText(/^A call from this number has no contact/).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await button("Call").click()
    const plan = await sent(page, "POST", "/calls", () => button("Show what it would be").click())
    expect(plan).toMatchObject({ phone_number: "+12025550180", contact_id: id })
    await dialog().getByText("Ann O’Hara").first().waitFor()
    await button("Cancel").click()
    await dashboard.open("/calls")
    await button("Start a call").click()
    await dialog().getByLabel("Phone number").fill("+12025550180")
    await button("Show what it would be").click()
    const chosen = await sent(page, "POST", "/calls", async () => {
      await dialog().getByLabel("Contact").selectOption({ label: "Twin" })
    })
    expect(chosen).toMatchObject({ contact_id: twin, dry_run: true })
    await button("Cancel").click()
    await api.contacts.delete(twin)

    await dashboard.open(`/contacts/${id}`)
    await button("Call").click()
    await button("Show what it would be").click()
    await dialog().getByText("Held from the balance").waitFor()
    await button("Start the call").click()
    await page.getByRole("heading", { level: 1, name: "Call with Ann O’Hara" }).waitFor()
    const { calls } = await api.calls.list({ phone_number: "+12025550180" })
    expect(calls).toMatchObject([{ contact: { id }, agent: { name: "Ada" } }])
    await expect.poll(async () => (await api.calls.get(calls[0]?.call_id ?? "")).status).toBe("completed")
  })

  it("exports everything about one contact as JSON", async () => {
    const { id } = await contactOf("ann@example.com")
    await dashboard.open(`/contacts/${id}`)
    const { name, text } = await downloaded(page, () => button("Export everything").click())
    expect(name).toBe(`contact-${id}.json`)
    const record = await api.contactRecords.get(id)
    expect(record).toMatchObject({ contact: { email: "ann@example.com" }, calls: [{ status: "completed" }] })
    expect(JSON.parse(text)).toEqual(record)
  })

  it("erases a person only after a confirmation, and says what it has not reached", async () => {
    const { id } = await contactOf("ann@example.com")
    await dashboard.open(`/contacts/${id}`)
    await button("Erase all data").click()
    await dialog().getByRole("button", { name: "Erase all data" }).click()
    // The browser asks for the confirmation, so no request is sent.
    expect(await dialog().getByLabel("I understand that this cannot be undone.").isChecked()).toBe(false)
    expect(await api.contacts.get(id)).toMatchObject({ email: "ann@example.com" })
    await dialog().getByLabel("I understand that this cannot be undone.").check()
    await dialog().getByRole("button", { name: "Erase all data" }).click()
    await dialog().getByText("The contact is erased.").waitFor()
    await dialog().getByText("Backups of the database").waitFor()
    await button("Done").click()
    await page.getByRole("heading", { level: 1, name: "Contacts" }).waitFor()
    await pageShown(page)
    expect(await table().getByText("Ann O’Hara").count()).toBe(0)
    await expect(api.contacts.get(id)).rejects.toMatchObject({ code: "not_found" })
    expect(await api.calls.list({ phone_number: "+12025550180" })).toMatchObject({ count: 0 })
  })

  it("tells a person who may not create contacts where those of an empty list come from", async () => {
    const base = "**/dashboard/api/v1"
    const caller = await api.caller.get()
    const permissions = caller.permissions.filter((permission) => permission !== "can_write_contacts")
    await page.route(`${base}/caller`, (route) => route.fulfill({ json: { ...caller, permissions } }))
    await page.route(`${base}/contacts?*`, (route) =>
      route.fulfill({ json: { contacts: [], count: 0, page: 1, limit: 25, pages: 0, truncated: [] } })
    )
    await dashboard.open("/contacts")
    await page.getByText(/^They appear here when a person with another role adds them/).waitFor()
    expect(await button("Create a contact").count()).toBe(0)
    expect(await violationsOf(page)).toEqual([])
    await page.unroute(`${base}/caller`)
    await page.unroute(`${base}/contacts?*`)
  })

  it("says that there is no such contact, and leads to the list", async () => {
    await dashboard.open("/contacts/999999")
    await page.getByText("No such contact").waitFor()
    expect(await button("Try again").count()).toBe(0)
    await page.getByRole("link", { name: "All contacts" }).last().click()
    await table().waitFor()
  })

  it("deletes a contact and leaves its calls", async () => {
    const { id } = await api.contacts.create({ first_name: "Bea", last_name: "Fox" })
    await dashboard.open("/contacts")
    await table().getByRole("link", { name: "Bea Fox" }).click()
    await button("Delete").click()
    await dialog().getByRole("button", { name: "Delete" }).click()
    await page.getByRole("heading", { level: 1, name: "Contacts" }).waitFor()
    await expect.poll(() => table().getByText("Bea Fox").count()).toBe(0)
    await expect(api.contacts.get(id)).rejects.toMatchObject({ code: "not_found" })
  })

  it("causes no error in the browser", () => {
    expect(dashboard.watched).toMatchObject({ errors: [], otherRequests: [] })
  })
})
