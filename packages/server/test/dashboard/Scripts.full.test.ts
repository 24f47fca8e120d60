import type { OpenBrowser, Page } from "@frontdesk/test-browser/browser"
import { signInBy } from "@frontdesk/test-browser/showPage"
import { afterAll, beforeAll, expect, it } from "vitest"
import { provisionedFolder, serve, type Server } from "../support/inProcess.ts"
import { acme, askAs, document, linkFor } from "./accounts.ts"
import { describeInBrowser } from "./describeInBrowser.ts"
import { settings } from "./mounts.ts"
import { openTestBrowser } from "./openDashboard.ts"
import { pages } from "./pages.ts"
import { makePlanting, type Planted, withReports } from "./planted.ts"
import { shown, visit, type Visitor } from "./visitors.ts"

const reports = {
  transcript: "agent: <svg onload=h('transcript')>\n<svg onload=h('line')>",
  summary: "<svg onload=h('summary')>"
}

/** What stands on a page, also in its fields and choices. */
const textsOnPage = `document.body.textContent + [...document.querySelectorAll("input, textarea")].map(({ value }) => value).join("\\n")`

describeInBrowser("scripts in the texts of every record", () => {
  let server: Server
  let browser: OpenBrowser
  let visitor: Visitor
  let page: Page
  let planted: ReadonlyArray<Planted>
  let records: ReadonlyArray<readonly [path: string, buttons: ReadonlyArray<string>]>
  const seen = new Set<string>()

  beforeAll(async () => {
    server = await serve(await provisionedFolder(document), { settings, around: withReports(reports) })
    const ask = askAs(server.url, acme)
    const planting = await makePlanting(server.url, ask)
    const { create, textFor } = planting
    const soon = { start_time: new Date().toISOString(), end_time: new Date(Date.now() + 1_800_000).toISOString() }
    const agent = await create("/agents/create", { role: "outbound agent", phone_number: "+12025550155" })
    await create("/context-variables/create", { name: "planted", variable_type: "select", context_type: "contact" })
    await create("/business/context", { variables: { company_name: textFor("company_name") } })
    const contact = await create("/contacts/create", {
      email: "planted@example.com",
      website: "https://example.com/?<svg",
      phone_numbers: [{ phone_number: "+12025550177", primary: true }],
      custom_context: { note: textFor("custom_context"), [textFor("name of custom_context")]: [1] },
      industry_context: { nested: { note: textFor("industry_context") } }
    })
    const customer = { customer_email: "planted@example.com", video_conference_url: "https://example.com/?a" }
    const event = await create("/calendar/events/create", { ...soon, ...customer })
    await create("/calendar/events/{event_id}/cancel", {}, `/calendar/events/${String(event["id"])}/cancel`)
    const webhook = await create("/webhooks/create", {
      url: "https://hooks.example.com/?<svg",
      subscribed_events: ["call.failed"]
    })
    await create("/api-keys/create", { permissions: ["can_read_calls"] })
    await create("/members/create", { email: "planted@example.com", role: "viewer" })
    await create("/dashboard/links", { role: "viewer", user_id: "7" })
    // The id is shown in place of a name.
    await ask("/dashboard/links", { role: "viewer", user_id: textFor("user_id") })
    const call = await create("/calls", {
      phone_number: "+12025550177",
      agent_id: "asst_acme",
      variables: { topic: textFor("variables") }
    })
    const callId = String(call["call_id"])
    const useTool = async (name: string, args: unknown) => {
      const answer = await fetch(`${server.url}/mcp`, {
        method: "POST",
        headers: { authorization: `Bearer ${acme.key}`, "content-type": "application/json", "x-call-id": callId },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } })
      })
      expect([answer.status, await answer.json()]).toMatchObject([200, { result: {} }])
    }
    // The answer has the name of the contact, which is planted too.
    await useTool("get_context", {})
    await useTool("request_callback", { reason: textFor("reason of request_callback") })
    const created = await ask("/contact-imports/create", {})
    const file = `/contact-imports/${String(created["id"])}`
    const [column, cell] = [textFor("column of an import"), textFor("cell of a refused line")]
    await ask(`${file}/parts`, { number: 1, csv: `email,${column}\nno address,${cell}\n` })
    await ask(`${file}/start`, {})
    await ask(
      "/account/update",
      { name: textFor("account"), contact_statuses: [textFor("statuses")], contact_stages: [textFor("stages")] },
      "PATCH"
    )
    ;({ planted } = planting)
    records = [
      [`/contacts/${String(contact["id"])}`, ["Change"]],
      [`/calendar?event=${String(event["id"])}`, []],
      [`/webhooks/${String(webhook["id"])}`, ["Change"]],
      [`/calls/${callId}`, []],
      [`/agents/${String(agent["id"])}`, ["Change"]]
    ]
    browser = await openTestBrowser()
    visitor = await visit(browser, `${server.url}/dashboard`)
    ;({ page } = visitor)
    await page.addInitScript("window.h = (place) => { (window.ran ??= []).push(place) }")
    await signInBy(page, await linkFor(server.url, acme, "owner"))
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  /** Remembers the texts of a page, and expects that none of them became a part of it. */
  const look = async () => {
    seen.add(await page.evaluate(textsOnPage))
    expect(await page.evaluate("window.ran")).toBe(undefined)
    expect(await page.locator("[onload]").count()).toBe(0)
  }

  it.each(pages)("stay texts on %s", async (path, title) => {
    await page.goto(`${server.url}/dashboard${path}`)
    await shown(page, title)
    await look()
    for (const button of await page
      .locator("main")
      .getByRole("button", { name: /^Change / })
      .all()) {
      await button.click()
      await page.getByRole("dialog").waitFor()
      await look()
      await page.keyboard.press("Escape")
    }
  })

  it("stay texts on the pages of the records, and in their forms", async () => {
    for (const [path, buttons] of records) {
      await page.goto(`${server.url}/dashboard${path}`)
      await shown(page, /./)
      await look()
      for (const name of buttons) {
        await page.locator("main").getByRole("button", { name, exact: true }).first().click()
        await page.getByRole("dialog").waitFor()
        await look()
        await page.keyboard.press("Escape")
      }
    }
    for (const text of [...reports.transcript.replace("agent: ", "").split("\n"), reports.summary])
      expect([...seen].some((texts) => texts.includes(text))).toBe(true)
  })

  it("stay texts in the arguments and the answer of a tool call", async () => {
    await page.goto(`${server.url}/dashboard${records.find(([path]) => path.startsWith("/calls/"))?.[0] ?? ""}`)
    const fields = { request_callback: "reason of request_callback", get_context: "/contacts/create.first_name" }
    for (const [tool, field] of Object.entries(fields)) {
      const toolCall = page.locator("details").filter({ hasText: tool })
      await toolCall.locator("summary").click()
      expect(await toolCall.innerText()).toContain(planted.find((one) => one.field === field)?.text ?? field)
    }
    await look()
  })

  it("stay texts in the columns and cells of a refused line", async () => {
    await page.goto(`${server.url}/dashboard/contacts`)
    await page.getByRole("button", { name: /^Show the import of / }).click()
    await page.getByLabel("Cells of line 2").click()
    await look()
    await page.keyboard.press("Escape")
  })

  it("are all shown somewhere", () => {
    const missing = planted.filter(({ text }) => ![...seen].some((texts) => texts.includes(text)))
    expect(planted.length).toBeGreaterThan(30)
    expect(missing.map(({ field }) => field)).toEqual([])
  })

  it("are refused by no policy, because no page takes them for anything but text", () => {
    expect(visitor.watched).toEqual({ errors: [], otherRequests: [] })
  })
})
