import { expect, it } from "vitest"
import { dashboardForTests, describeInBrowser } from "./describeInBrowser.ts"
import { dialogClosed, problemAt, sent } from "./openDashboard.ts"

describeInBrowser("the page of variables", () => {
  const { api, button, dashboard, dialog, page } = dashboardForTests()

  const field = (name: string) => dialog().getByLabel(name, { exact: true })
  const save = () => dialog().getByRole("button", { name: "Save" }).click()
  const row = (name: string) => page.getByRole("row").filter({ hasText: `{{${name}}}` })

  /** Returns a definition as the API has it, or undefined. */
  const variableOf = async (name: string) => {
    const { variables } = await api.variables.list({})
    return variables.find((variable) => variable.name === name)
  }

  it.each([
    ["text", "Text", "Number", "number"],
    ["number", "Number", "Date", "date"],
    ["date", "Date", "Yes or no", "boolean"],
    ["boolean", "Yes or no", "Text", "text"]
  ])("creates, changes and deletes a variable of the type %s", async (type, label, nextLabel, nextType) => {
    const name = `a_${type}`
    await dashboard.open("/variables")
    await button("Create a variable").click()
    await field("Name in templates").fill(name)
    await field("Name for people").fill(`A ${type}`)
    await field("Type").selectOption(label)
    await button("Create").click()
    await dialogClosed(page)
    const created = await variableOf(name)
    expect(created).toMatchObject({
      display_name: `A ${type}`,
      variable_type: type,
      context_type: "contact",
      description: null,
      select_options: null
    })
    await row(name).waitFor()

    await button(`Change ${name}`).click()
    await field("Type").selectOption(nextLabel)
    await field("Description").fill("What it is for")
    const body = await sent(page, "PATCH", `/${created?.id}/update`, save)
    expect(body).toEqual({ variable_type: nextType, description: "What it is for" })
    await dialogClosed(page)
    expect(await variableOf(name)).toMatchObject({
      display_name: `A ${type}`,
      variable_type: nextType,
      description: "What it is for"
    })

    await button(`Delete ${name}`).click()
    await button("Cancel").click()
    expect(await variableOf(name)).toBeDefined()
    await button(`Delete ${name}`).click()
    await dialog().getByRole("button", { name: "Delete" }).click()
    await expect.poll(() => row(name).count()).toBe(0)
    expect(await variableOf(name)).toBeUndefined()
  })

  it("asks before a link leads away from values that are not saved", async () => {
    await dashboard.open("/variables")
    const name = page.getByLabel("Company name")
    const before = await name.inputValue()
    // The field is as high as its text.
    const height = async () => (await name.boundingBox())?.height ?? 0
    const oneLine = await height()
    await name.fill("one\ntwo\nthree\nfour")
    expect(await height()).toBeGreaterThan(oneLine * 2)
    await name.fill("Another name")
    await page.getByLabel("Belongs to").selectOption("The business")
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Calls" }).click()
    await dialog().getByText("It is not saved.").waitFor()
    await button("Go on editing").click()
    expect(await name.inputValue()).toBe("Another name")
    await name.fill(before)
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Calls" }).click()
    await page.getByRole("heading", { level: 1, name: "Calls" }).waitFor()
    await page.goBack()
    await name.fill("Another name")
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Calls" }).click()
    await button("Discard").click()
    await page.getByRole("heading", { level: 1, name: "Calls" }).waitFor()
    expect((await api.businessContext.get()).variables).not.toMatchObject({ company_name: "Another name" })
  })

  it("shows at its field what is wrong with a new variable, and leaves what was typed", async () => {
    await dashboard.open("/variables")
    await button("Create a variable").click()
    await field("Its value belongs to").selectOption("The business")
    await field("Name in templates").fill("Opening Hours!")
    await field("Name for people").fill("Opening")
    await field("Type").selectOption("One of a list")
    await field("Options").fill("early\nlate\nearly")
    await button("Create").click()
    expect(await problemAt(field("Name in templates"))).not.toBe("")
    expect(await field("Options").inputValue()).toBe("early\nlate\nearly")
    await field("Name in templates").fill("opening")
    await button("Create").click()
    expect(await problemAt(field("Options"))).not.toBe("")
    await field("Options").fill("early\nlate")
    await button("Create").click()
    await dialogClosed(page)
    expect(await variableOf("opening")).toMatchObject({
      context_type: "business",
      variable_type: "select",
      select_options: ["early", "late"]
    })
    // Its name is taken, so another one of this name is refused.
    await button("Create a variable").click()
    await field("Its value belongs to").selectOption("The business")
    await field("Name in templates").fill("opening")
    await field("Name for people").fill("Opening again")
    await button("Create").click()
    await dialog().getByRole("alert").waitFor()
    expect(await field("Name for people").inputValue()).toBe("Opening again")
    await button("Cancel").click()
  })

  it("changes the options of a list, and shows only the variables of a context", async () => {
    await dashboard.open("/variables")
    await page.getByLabel("Belongs to").selectOption("The business")
    await row("business_opening").waitFor()
    expect(await row("first_name").count()).toBe(0)
    await button("Change opening").click()
    await field("Options").fill("early\nlate\nnever")
    await save()
    await dialogClosed(page)
    expect(await variableOf("opening")).toMatchObject({ select_options: ["early", "late", "never"] })
    await row("business_opening").getByText("One of 3 options").last().waitFor()
    await page.getByLabel("Belongs to").selectOption("Each contact")
    await row("first_name").waitFor()
    expect(await row("business_opening").count()).toBe(0)
  })

  it("sets the values of the business by their types, and sends only the changed ones", async () => {
    for (const [name, variable_type] of [
      ["founded", "date"],
      ["seats", "number"],
      ["parking", "boolean"]
    ] as const)
      await api.variables.create({ name, display_name: `The ${name}`, context_type: "business", variable_type })
    await api.businessContext.set({ variables: { company_name: "Old & Co" } })
    await dashboard.open("/variables")
    const value = (label: string) => page.getByLabel(label, { exact: true })
    await value("The founded").fill("last year")
    await value("The seats").fill("many")
    await value("The parking").selectOption("Yes")
    await value("Opening").selectOption("late")
    await button("Save").click()
    expect(await problemAt(value("The founded"))).not.toBe("")
    expect(await problemAt(value("The seats"))).not.toBe("")
    expect(await value("The seats").inputValue()).toBe("many")
    expect(await value("The parking").inputValue()).toBe("true")
    await value("The founded").fill("1999-04-01")
    await value("The seats").fill("12")
    const body = await sent(page, "POST", "/business/context", () => button("Save").click())
    expect(body).toEqual({ variables: { founded: "1999-04-01", seats: "12", parking: "true", opening: "late" } })
    await page.getByText("Saved.").waitFor()
    expect((await api.businessContext.get()).variables).toMatchObject({
      company_name: "Old & Co",
      founded: "1999-04-01",
      seats: 12,
      parking: true,
      opening: "late"
    })
    await value("The seats").fill("")
    await button("Save").click()
    await expect.poll(async () => (await api.businessContext.get()).variables["seats"]).toBeUndefined()
  })

  it("shows a template with the values of a contact and of the business, as a call has them", async () => {
    await dashboard.open("/variables")
    await page
      .getByLabel("Template")
      .fill("Hello {{first_name}} of {{ company }}, {{business_company_name}}: {{nothing}}")
    await page.getByLabel("Find a contact").fill("miller")
    await expect
      .poll(() => page.getByLabel("Contact", { exact: true }).getByRole("option").allTextContents())
      .toEqual(["None", "Jo Miller"])
    await page.getByLabel("Contact", { exact: true }).selectOption("Jo Miller")
    await page.getByText("Hello Jo of Miller & Sons, Old & Co: {{nothing}}").waitFor()
    await page.getByText("Without a value: nothing.").waitFor()
    const [contact] = (await api.contacts.list({ search: "miller" })).contacts
    await api.contacts.patch(contact?.id ?? 0, { custom_context: { nothing: "<b>something</b>" } })
    await dashboard.open("/variables")
    await page.getByLabel("Template").fill("{{nothing}}")
    await page.getByLabel("Contact", { exact: true }).selectOption("Jo Miller")
    await page.getByText("<b>something</b>", { exact: true }).waitFor()
    expect(await page.getByText("Without a value").count()).toBe(0)
  })

  it("deletes a list of options, and the value that the business has stays", async () => {
    await dashboard.open("/variables")
    await button("Delete opening").click()
    await dialog().getByRole("button", { name: "Delete" }).click()
    await expect.poll(() => row("business_opening").count()).toBe(0)
    expect(await variableOf("opening")).toBeUndefined()
    expect((await api.businessContext.get()).variables).toMatchObject({ opening: "late" })
  })

  it("causes no error in the browser", () => {
    expect(dashboard.watched).toMatchObject({ errors: [], otherRequests: [] })
  })
})
