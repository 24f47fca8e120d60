import { expect, it } from "vitest"
import { dashboardForTests, describeInBrowser } from "./describeInBrowser.ts"
import { dialogClosed, downloaded, problemAt, rowsOf } from "./openDashboard.ts"

describeInBrowser("imports and exports of contacts", () => {
  const { api, button, dashboard, dialog, page } = dashboardForTests()

  const table = () => page.getByRole("region", { name: "Contacts", exact: true })

  /** Returns the only contact with an e-mail address, as the API has it. */
  const contactOf = async (email: string) => {
    const { contacts } = await api.contacts.list({ search: email })
    expect(contacts).toHaveLength(1)
    return api.contacts.get(contacts[0]?.id ?? 0)
  }

  const file = (name: string, lines: ReadonlyArray<string>) => ({
    name,
    mimeType: "text/csv",
    buffer: Buffer.from(lines.join("\n"))
  })

  it("imports a file, and lists its refused lines with the reasons", async () => {
    await dashboard.open("/contacts")
    await button("Import").click()
    const chosen = () => dialog().getByLabel("CSV file")
    await chosen().setInputFiles({ name: "photo.csv", mimeType: "text/csv", buffer: Buffer.from([0xff, 0xfe, 0x2c]) })
    expect(await problemAt(chosen())).toContain("UTF-8")
    await chosen().setInputFiles(
      file("people.csv", [
        "First name;Surname;Mail;Mobile;Shoe size",
        "Bea;Fox;bea@example.com;+12025550190;38",
        "Carl;Fox;not an address;+12025550191;44",
        "Dan;Fox;dan@example.com;12;45",
        "Jo;Miller;jo@example.com;;40"
      ])
    )
    const column = (name: string) => dialog().getByLabel(name, { exact: true })
    await expect.poll(() => dialog().getByLabel("Between the cells is a").inputValue()).toBe(";")
    expect(await column("Surname").inputValue()).toBe("last_name")
    expect(await column("Mobile").inputValue()).toBe("phone_number")
    expect(await column("Shoe size").inputValue()).toBe("")
    await column("First name").selectOption("First name")
    await button("Send the file").click()
    await dialog().getByText("Finished").waitFor()
    const refused = await rowsOf(dialog().getByRole("region", { name: "Refused lines" }))
    expect(refused).toMatchObject([
      ["3", expect.stringMatching(/^E-mail address: This must be an e-mail address/), "Show"],
      ["4", "Phone number: Write the number with its country code, as in +12025550123.", "Show"]
    ])
    await dialog().getByLabel("Cells of line 3").click()
    await dialog().getByText("not an address").waitFor()
    await button("Close").first().click()
    await dialogClosed(page)
    const { imports } = await api.contactImports.list()
    expect(imports).toMatchObject([
      { status: "finished", separator: ";", on_known: "skip", lines: 4, created: 1, skipped: 1, refused: 2 }
    ])
    expect(await contactOf("bea@example.com")).toMatchObject({
      full_name: "Bea Fox",
      phone_numbers: [{ phone_number: "+12025550190" }]
    })
    // The list behind the dialog has the new contact without being loaded again.
    await table().getByRole("link", { name: "Bea Fox" }).waitFor()
  })

  it("only checks a file when a person asks for that, and shows an earlier import again", async () => {
    await dashboard.open("/contacts")
    await button("Import").click()
    await dialog()
      .getByLabel("CSV file")
      .setInputFiles(file("more.csv", ["first_name,email", "Beatrix,bea@example.com", "Eve,eve@example.com"]))
    await dialog()
      .getByLabel(/^When a line has/)
      .selectOption("Change the contact")
    await dialog()
      .getByLabel(/^Only check the file/)
      .check()
    await button("Send the file").click()
    await dialog().getByText("Finished").waitFor()
    await dialog().getByText("Only a check").waitFor()
    await dialog().getByRole("button", { name: "Import now" }).waitFor()
    await button("Close").first().click()
    const [found] = (await api.contactImports.list()).imports
    expect(found).toMatchObject({ dry_run: true, on_known: "update", created: 1, updated: 1, refused: 0 })
    expect((await contactOf("bea@example.com")).first_name).toBe("Bea")
    expect(await api.contacts.list({ search: "eve@example.com" })).toMatchObject({ count: 0 })
    const imports = page.getByRole("region", { name: "Imports" })
    await expect
      .poll(async () => (await rowsOf(imports)).map((cells) => cells.slice(1, 6)))
      .toEqual([
        ["Finished", "2", "1", "1", "0"],
        ["Finished", "4", "1", "0", "2"]
      ])
    await imports.getByRole("button").last().click()
    await dialog().getByRole("region", { name: "Refused lines" }).waitFor()
    await button("Close").first().click()
    await dialogClosed(page)
  })

  it("imports a file after its check, without another choice of the file", async () => {
    await dashboard.open("/contacts")
    await button("Import").click()
    await dialog()
      .getByLabel("CSV file")
      .setInputFiles(file("now.csv", ["first_name,email", "Nina,nina@example.com"]))
    await dialog()
      .getByLabel(/^Only check the file/)
      .check()
    await button("Send the file").click()
    await dialog().getByText("Would be created").waitFor()
    await dialog().getByRole("button", { name: "Import now" }).click()
    await dialog().getByText("Created", { exact: true }).waitFor()
    await dialog().getByText("Finished").waitFor()
    expect(await contactOf("nina@example.com")).toMatchObject({ first_name: "Nina" })
    await button("Close").first().click()
  })

  it("reads the list again when an import has ended that no dialog shows", async () => {
    const { id } = await api.contactImports.create({})
    await api.contactImports.addPart(id, { number: 1, csv: "first_name,email\nLate,late@example.com\n" })
    await dashboard.open("/contacts?search=late")
    await page.getByText(/^No contact has all/).waitFor()
    await api.contactImports.start(id)
    await table().getByRole("link", { name: "Late" }).waitFor()
  })

  it("cancels an import that runs, which keeps the lines that it has read", async () => {
    const total = 20_000
    const lines = Array.from({ length: total }, (_, index) => `Many ${index},many${index}@example.com`)
    await dashboard.open("/contacts")
    await button("Import").click()
    await dialog()
      .getByLabel("CSV file")
      .setInputFiles(file("many.csv", ["first_name,email", ...lines]))
    // A check writes no contact, so that the other tests find the contacts that they expect.
    await dialog()
      .getByLabel(/^Only check the file/)
      .check()
    await button("Send the file").click()
    await dialog().getByText("Running").waitFor()
    await dialog().getByRole("button", { name: "Cancel the import" }).click()
    await dialog().getByText("Cancelled").waitFor()
    await button("Close").first().click()
    await dialogClosed(page)
    const [found] = (await api.contactImports.list()).imports
    expect(found).toMatchObject({ status: "cancelled", dry_run: true })
    expect(found?.lines).toBeLessThan(total)
  })

  it("exports all contacts as a file, which an import reads again", async () => {
    await dashboard.open("/contacts?search=bea")
    await button("Export").click()
    await dialog()
      .getByText(/^The filters of the list do not apply/)
      .waitFor()
    const { name, text } = await downloaded(page, () => dialog().getByRole("button", { name: "Export" }).click())
    expect(name).toMatch(/^contacts-\d{4}-\d\d-\d\d\.csv$/)
    expect(text).toBe((await api.contactExports.page()).csv)
    expect(text).toContain("bea@example.com")
    await dialog().getByText("The file is complete").waitFor()
    await button("Close").first().click()
    await button("Import").click()
    await dialog()
      .getByLabel("CSV file")
      .setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) })
    await dialog()
      .getByLabel(/^When a line has/)
      .selectOption("Change the contact")
    await button("Send the file").click()
    await dialog().getByText("Finished").waitFor()
    const { count } = await api.contacts.list()
    expect((await api.contactImports.list()).imports[0]).toMatchObject({ updated: count, created: 0, refused: 0 })
    await button("Close").first().click()
  })

  it("causes no error in the browser", () => {
    expect(dashboard.watched).toMatchObject({ errors: [], otherRequests: [] })
  })
})
