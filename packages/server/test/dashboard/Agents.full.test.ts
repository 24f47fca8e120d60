import { Tools } from "@frontdesk/agent-tools"
import { expect, it } from "vitest"
import { dashboardForTests, describeInBrowser } from "./describeInBrowser.ts"
import { dialogClosed, problemAt, rowsOf, sent } from "./openDashboard.ts"

describeInBrowser("the page of agents", () => {
  const { api, button, dashboard, dialog, page } = dashboardForTests()

  const field = (name: string) => dialog().getByLabel(name, { exact: true })
  const names = async () =>
    (await rowsOf(page.getByRole("region", { name: "Agents" }))).map(([name]) => name?.split("\n")[0])

  /** Returns an agent as the API has it, or undefined. */
  const agentOf = async (name: string, archived = false) => {
    const { agents } = await api.agents.list({ archived })
    return agents.find((agent) => agent.name === name)
  }

  it("creates an agent, after it has shown at their fields what is wrong", async () => {
    await dashboard.open("/agents")
    await button("Create an agent").click()
    await field("Name").fill("Cleo")
    await field("Assistant id").fill("asst_ada")
    await field("Phone number").fill("call me")
    await field("Model").fill("small")
    await button("Create").click()
    expect(await problemAt(field("Phone number"))).not.toBe("")
    await field("Phone number").fill("+12025550105")
    await button("Create").click()
    // Ada has this assistant.
    expect(await problemAt(field("Assistant id"))).not.toBe("")
    expect(await field("Model").inputValue()).toBe("small")
    await field("Assistant id").fill("asst_cleo")
    await button("Create").click()
    await dialogClosed(page)
    await expect.poll(names).toContain("Cleo")
    expect(await agentOf("Cleo")).toMatchObject({
      assistant_id: "asst_cleo",
      role: "outbound agent",
      phone_number: "+12025550105",
      can_make_calls: true,
      model: "small",
      total_calls: 0
    })
  })

  it("changes the fields of an agent that the form has changed, and takes its number away", async () => {
    const before = await agentOf("Cleo")
    await dashboard.open("/agents")
    await button("Change Cleo").click()
    await field("Role").selectOption("Inbound agent")
    await field("Phone number").fill("")
    await field("Voice").fill("cleo-2")
    const body = await sent(page, "PATCH", `/agents/${before?.id}/update`, () => button("Save").click())
    expect(body).toEqual({ role: "inbound agent", phone_number: null, voice_id: "cleo-2" })
    await dialogClosed(page)
    expect(await agentOf("Cleo")).toMatchObject({
      assistant_id: "asst_cleo",
      role: "inbound agent",
      phone_number: null,
      can_make_calls: false,
      model: "small",
      voice_id: "cleo-2"
    })
    await page.getByRole("row").filter({ hasText: "Cleo" }).getByText("None").waitFor()
  })

  it("gives an agent another number", async () => {
    await dashboard.open("/agents")
    await button("Change Cleo").click()
    await field("Phone number").fill("+12025550106")
    await button("Save").click()
    await dialogClosed(page)
    expect(await agentOf("Cleo")).toMatchObject({ phone_number: "+12025550106" })
  })

  it("chooses the tools that an agent may use (D-AGENT-9)", async () => {
    await dashboard.open("/agents")
    await page.getByRole("link", { name: "Cleo" }).click()
    await page.getByText("The agent may use every tool").waitFor()
    await button("Change").click()
    const every = dialog().getByLabel("Every tool, also those of later versions")
    expect([await every.isChecked(), await field("Book an appointment").isVisible()]).toEqual([true, false])
    await every.uncheck()
    for (const name of ["Cancel an appointment", "Move an appointment"]) await field(name).uncheck()
    const id = (await agentOf("Cleo"))?.id
    const save = () => button("Save").click()
    const allowed = Tools.toolNames.filter((name) => name !== "cancel" && name !== "move")
    expect(await sent(page, "PATCH", `/agents/${id}/update`, save)).toEqual({ allowed_tools: allowed })
    await dialogClosed(page)
    const tools = page.getByRole("main").getByRole("listitem")
    await expect
      .poll(() => tools.filter({ hasText: "Not allowed" }).allInnerTexts())
      .toEqual(["Move an appointment\nNot allowed", "Cancel an appointment\nNot allowed"])
    await button("Change").click()
    await every.check()
    expect(await sent(page, "PATCH", `/agents/${id}/update`, save)).toEqual({ allowed_tools: null })
    await dialogClosed(page)
    await page.getByText("The agent may use every tool").waitFor()
  })

  it("shows an agent with its calls", async () => {
    const { calls } = await api.calls.list({ limit: 1 })
    const agent = calls[0]?.agent
    await dashboard.open(`/agents/${agent?.id}`)
    await page.getByText(agent?.assistant_id ?? "").waitFor()
    await page.getByRole("region", { name: "Calls" }).getByRole("link").first().click()
    await page.waitForURL(/\/calls\/call_/)
  })

  it("deletes an agent without calls after a confirmation", async () => {
    await dashboard.open("/agents")
    await button("Delete Cleo").click()
    await button("Cancel").click()
    expect(await agentOf("Cleo")).toBeDefined()
    await button("Delete Cleo").click()
    await dialog().getByRole("button", { name: "Delete" }).click()
    await page.getByText("Cleo has been deleted.").waitFor()
    await expect.poll(names).not.toContain("Cleo")
    expect(await agentOf("Cleo")).toBeUndefined()
    expect(await agentOf("Cleo", true)).toBeUndefined()
  })

  it("archives an agent that has calls, and lists it among the archived ones", async () => {
    const { total_calls: calls = 0 } = (await agentOf("Ada")) ?? {}
    expect(calls).toBeGreaterThan(0)
    await dashboard.open("/agents")
    await button("Delete Ada").click()
    await dialog().getByText("it is archived instead").waitFor()
    await dialog().getByRole("button", { name: "Delete" }).click()
    await page.getByText("Ada is archived, because it has calls or appointments.").waitFor()
    await expect.poll(names).toEqual(["Ben"])
    expect(await agentOf("Ada", true)).toMatchObject({ phone_number: null, total_calls: calls })
    await page.getByLabel("Show").selectOption("Archived agents")
    await expect.poll(names).toEqual(["Ada"])
    expect(await button("Change Ada").count()).toBe(0)
    // The calls of an archived agent can still be found.
    await dashboard.open("/calls")
    await page.getByLabel("Agent").selectOption("Ada")
    await page.getByText(`${calls} calls · page 1 of 2`).waitFor()
  })

  it("causes no error in the browser", () => {
    expect(dashboard.watched).toMatchObject({ errors: [], otherRequests: [] })
  })
})
