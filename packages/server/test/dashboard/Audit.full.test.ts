import { signInBy } from "@frontdesk/test-browser/showPage"
import { beforeAll, expect, it } from "vitest"
import { dashboardForTests, describeInBrowser } from "./describeInBrowser.ts"
import { dialogClosed, downloaded } from "./openDashboard.ts"

describeInBrowser("the audit log", () => {
  const { api, button, dashboard, dialog, page } = dashboardForTests()

  beforeAll(async () => {
    const { id: member_id } = await api.members.create({ name: "Ann Lee", email: "ann@example.com", role: "owner" })
    const { url } = await api.signInLinks.create({ member_id })
    await signInBy(page, new URL(url ?? "", dashboard.server.url).href)
  })

  const entries = () =>
    page
      .getByRole("main")
      .getByRole("listitem")
      .filter({ has: page.getByRole("heading") })
  const filter = (name: string, option: string) => page.getByLabel(name, { exact: true }).selectOption(option)
  const save = async () => {
    await dialog().getByRole("button", { name: "Save" }).click()
    await dialogClosed(page)
  }

  it("has what a person has just done, with the person, the record and the fields", async () => {
    await dashboard.open("/agents")
    await button("Change Ben").click()
    await dialog().getByLabel("Name").fill("Benny")
    await dialog().getByLabel("Model").fill("large")
    await save()
    const [contact] = (await api.contacts.list({ search: "miller" })).contacts
    await dashboard.open(`/contacts/${contact?.id}`)
    await button("Change").click()
    await dialog().getByLabel("Company").fill("Discreet Sons")
    await save()

    await dashboard.open("/audit")
    const [newest, before] = [entries().nth(0), entries().nth(1)]
    await newest.getByRole("heading", { name: "Changed a contact" }).waitFor()
    await newest.getByText("Ann Lee", { exact: true }).waitFor()
    await newest.getByText("From 127.0.0.1", { exact: true }).waitFor()
    // Personal fields are named, and their values left out.
    await newest.getByText("Company: value not logged").waitFor()
    expect(await page.content()).not.toContain("Discreet Sons")
    await before.getByRole("heading", { name: "Changed an agent" }).waitFor()
    await before.getByText("Ann Lee", { exact: true }).waitFor()
    const { agents } = await api.agents.list()
    const ben = agents.find(({ name }) => name === "Benny")?.id
    await before.getByText("Agent Benny", { exact: true }).waitFor()
    expect((await before.innerText()).replaceAll(/\s+/g, " ")).toContain(
      "Name: Ben → became Benny Model: demo → became large"
    )
    expect(await api.audit.list({ limit: 2 })).toMatchObject({
      entries: [
        { operation: "contacts.patch", actor: { type: "person" }, changes: [{ field: "company" }] },
        {
          operation: "agents.patch",
          entity: { type: "agent", id: String(ben) },
          changes: [
            { field: "name", before: "Ben", after: "Benny" },
            { field: "model", before: "demo", after: "large" }
          ]
        }
      ]
    })
    await newest.getByRole("link", { name: `Contact ${contact?.id}` }).click()
    await page.getByRole("heading", { level: 1, name: "Jo Miller" }).waitFor()
  })

  it("filters the entries by who, what, record and date", async () => {
    await dashboard.open("/audit")
    const record = page.getByLabel("Id of the record")
    expect(await record.isDisabled()).toBe(true)
    await filter("Who", "Person")
    await filter("What", "Changed an agent")
    await expect.poll(() => entries().count()).toBe(1)
    await filter("Who", "API key")
    await page.getByText(/^No entry has all/).waitFor()
    await page.getByRole("link", { name: "Show the whole log" }).click()
    await filter("Kind of record", "Call")
    const [call] = (await api.calls.list({ limit: 1 })).calls
    await record.fill(call?.call_id ?? "")
    await record.press("Enter")
    const ofCall = await api.audit.list({ entity_type: "call", entity_id: call?.call_id, limit: 50 })
    expect(ofCall.entries.length).toBeGreaterThan(1)
    await expect.poll(() => entries().count()).toBe(ofCall.entries.length)
    await page.reload()
    await expect.poll(() => entries().count()).toBe(ofCall.entries.length)
    expect(await record.inputValue()).toBe(call?.call_id)
    await page.getByLabel("To").fill("2001-01-01")
    await page.getByText(/^No entry has all/).waitFor()
  })

  it("leads to older entries and back", async () => {
    await dashboard.open("/audit")
    // The name of the person arrives after the entries.
    await entries().first().getByText("Ann Lee").waitFor()
    const first = await entries().first().innerText()
    const { entries: all } = await api.audit.list({ limit: 51 })
    expect(all).toHaveLength(51)
    await button("Older").click()
    await expect.poll(() => new URL(page.url()).searchParams.get("cursor")).toBe(all[49]?.cursor)
    await expect.poll(() => entries().first().innerText()).not.toBe(first)
    await button("Newer").click()
    await expect.poll(() => entries().first().innerText()).toBe(first)
    expect(await button("Newest").isDisabled()).toBe(true)
  })

  it("exports the entries that the filters leave as JSON Lines", async () => {
    await dashboard.open("/audit")
    await filter("Kind of record", "Agent")
    const { entries: listed } = await api.audit.list({ entity_type: "agent", limit: 50 })
    await expect.poll(() => entries().count()).toBe(listed.length)
    const { name, text } = await downloaded(page, () => button("Download as JSON Lines").click())
    expect(name).toMatch(/^audit-log-\d{4}-\d\d-\d\d\.jsonl$/)
    expect(text).toBe(await api.audit.export({ entity_type: "agent", limit: 500 }))
    const lines = text
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line))
    expect(lines).toHaveLength(listed.length)
    expect(lines).toEqual(expect.arrayContaining([expect.objectContaining({ operation: "agents.patch" })]))
    await page.getByText(`${listed.length} entries in the file.`).waitFor()
  })

  it("causes no error in the browser", () => {
    expect(dashboard.watched).toMatchObject({ errors: [], otherRequests: [] })
  })
})
