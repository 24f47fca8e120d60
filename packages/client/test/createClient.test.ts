import { createHmac } from "node:crypto"
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import { type CalendarEvent, type Contact, createClient, type FrontdeskClient, verifyWebhook } from "@frontdesk/client"
import { Frontdesk } from "@frontdesk/embed"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

describe("the client over the API", () => {
  let frontdesk: Frontdesk
  let server: Server
  let client: FrontdeskClient
  const used = new Set<string>()
  beforeAll(async () => {
    frontdesk = await Frontdesk.open({
      storage: { memory: true },
      workers: false,
      callProvider: { simulated: { pace: 0 } }
    })
    const agents = [{ ref: "ada", name: "Ada", assistant_id: "asst_ada", phone_number: "+12025550100" }]
    const api_keys = [{ ref: "all", name: "All", permissions: ["*"] }]
    const { apiKeys } = await frontdesk.provision({
      accounts: [{ ref: "acme", name: "Acme", balance: 100, price_per_minute: 0.1, agents, api_keys }]
    })
    server = createServer(frontdesk.node({ basePath: "/voice", rateLimit: null }))
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    const baseUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/voice`
    const plain = createClient({ baseUrl, apiKey: apiKeys["all"]?.key })
    client = recording(plain, used)
  })
  afterAll(async () => {
    server.close()
    server.closeAllConnections()
    await frontdesk.close()
  })

  it("works with contacts", async () => {
    const { contacts } = client
    const { id, phone_numbers } = await contacts.create({
      first_name: "Jo",
      phone_numbers: [{ phone_number: "+12025550123" }],
      custom_context: { plan: { seats: 3 } }
    })
    await contacts.patch(id, { tags: ["vip"] })
    for (const number of phone_numbers) await contacts.deletePhoneNumber(id, number.id)
    const contact: Contact = await contacts.get(id)
    expect(contact).toMatchObject({
      first_name: "Jo",
      phone_numbers: [],
      tags: ["vip"],
      custom_context: { plan: { seats: 3 } }
    })
    expect((await contacts.put(id, { first_name: "Al" })).first_name).toBe("Al")
    expect(await contacts.delete(id)).toHaveProperty("message")
    await expect(contacts.get(id)).rejects.toMatchObject({ code: "not_found", status: 404 })
  })

  it("gives a page of a list when it is awaited, and every row when it is iterated", async () => {
    const { contacts } = client
    for (let n = 0; n < 5; n++) await contacts.create({ first_name: `Jo ${n}`, stage: "list" })
    const query = { stage: "list", limit: 2 }
    expect(await contacts.list(query)).toMatchObject({ count: 5, page: 1, pages: 3 })
    const names: Array<string | null> = []
    for await (const { first_name } of contacts.list(query)) names.push(first_name)
    expect(new Set(names)).toEqual(new Set(["Jo 0", "Jo 1", "Jo 2", "Jo 3", "Jo 4"]))
    expect(names.length).toBe(5)
    const agents = await Array.fromAsync(client.agents.list())
    expect(agents).toMatchObject([{ name: "Ada" }])
    expect(await client.agents.get(agents[0]?.id ?? 0)).toMatchObject({ assistant_id: "asst_ada" })
  })

  it("works with the do-not-call list", async () => {
    const { doNotCall } = client
    const phone_numbers = ["+12025550171", "+12025550172"]
    expect((await doNotCall.add({ phone_numbers })).added).toEqual(phone_numbers)
    expect(await Array.fromAsync(doNotCall.list({ limit: 1 }))).toEqual(phone_numbers)
    expect(await doNotCall.list({ phone_number: "+12025550172" })).toMatchObject({ count: 1 })
    expect((await doNotCall.remove({ phone_numbers })).removed).toEqual(phone_numbers)
  })

  it("works with the calendar and free slots", async () => {
    const { availability, calendar } = client
    const day = "2099-03-09"
    expect(await availability.busy({ start_date: day, end_date: day })).toMatchObject({
      busy_times: [],
      unavailable: []
    })
    const { available_slots: slots } = await availability.find({ start_date: day, end_date: day, duration: 30 })
    const [slot] = slots
    const { id } = await calendar.create({ title: "Visit", start_time: `${day}T10:00`, end_time: `${day}T10:30` })
    expect(slot?.start).toMatch(/^2099-03-09T/)
    await calendar.patch(id, { location: "Berlin" })
    await calendar.put(id, { title: "Demo", start_time: `${day}T10:00`, end_time: `${day}T10:30` })
    const event: CalendarEvent = await calendar.get(id)
    expect(await calendar.deliveries(id, { limit: 5 })).toMatchObject({ count: 0, limit: 5 })
    expect(event.title).toBe("Demo")
    const [, signature = ""] = event.ics_url.split("signature=")
    expect(await calendar.ics(id, { signature })).toContain("BEGIN:VEVENT")
    expect((await calendar.list({ start_date: day })).count).toBe(1)
    expect((await calendar.resolveCopy(id, "google", { resolution: "overwrite" })).message).toMatch(/no conflict/)
    expect((await calendar.cancel(id, { reason: "ill" })).status).toBe("cancelled")
  })

  it("works with variables and the business context", async () => {
    const { businessContext, variables } = client
    const definition = { name: "plan", display_name: "Plan", variable_type: "text", context_type: "business" } as const
    const { id } = await variables.create(definition)
    await variables.patch(id, { description: "What they pay for" })
    await variables.put(id, { display_name: "The plan" })
    const listed = await Array.fromAsync(variables.list({ context_type: "business" }))
    expect(listed.find(({ name }) => name === "plan")).toMatchObject({ display_name: "The plan" })
    await businessContext.set({ variables: { plan: "pro" } })
    expect((await businessContext.get()).variables).toEqual({ plan: "pro" })
    await variables.delete(id)
  })

  it("works with calls", async () => {
    const { calls } = client
    const started = await calls.start({ phone_number: "+12025550123", agent_id: "asst_ada" })
    if ("dry_run" in started) expect.fail("The call was to be started")
    expect(await calls.get(started.id)).toMatchObject({ call_id: started.call_id, tool_calls: [] })
    expect((await calls.list()).count).toBe(1)
    expect(await calls.deliveries(started.id)).toMatchObject({ count: 0, deliveries: [] })
    expect((await calls.hangUp(started.id)).id).toBe(started.id)
  })

  it("works with agents", async () => {
    const { agents } = client
    const body = { assistant_id: "asst_grace", name: "Grace", role: "inbound agent" } as const
    const { id } = await agents.create({ ...body, phone_number: "+12025550142" })
    expect(await agents.patch(id, { model: "gpt-x" })).toMatchObject({ model: "gpt-x", phone_number: "+12025550142" })
    expect(await agents.put(id, body)).toMatchObject({ model: "", phone_number: null })
    expect(await Array.fromAsync(agents.list({ archived: true }))).toEqual([])
    expect(await agents.delete(id)).toMatchObject({ archived: false })
  })

  it("shows the balance and its movements", async () => {
    const { balance } = await client.funds.balance()
    const movements = await Array.fromAsync(client.funds.movements({ limit: 1 }))
    expect(movements.reduce((sum, { amount }) => sum + amount, 0)).toBeCloseTo(balance, 6)
    expect((await client.funds.movements({ kind: "opening" })).count).toBe(0)
  })

  it("works with imports and exports of contacts", async () => {
    const { contactExports, contactImports } = client
    const { id } = await contactImports.create({ on_known: "update" })
    expect((await contactImports.addPart(id, { number: 1, csv: "first_name\nJo" })).parts).toBe(1)
    expect((await contactImports.start(id)).status).toBe("running")
    expect((await contactImports.get(id)).lines).toBe(0)
    expect((await contactImports.cancel(id)).status).toBe("cancelled")
    expect((await Array.fromAsync(contactImports.list({ limit: 1 }))).map((one) => one.id)).toEqual([id])
    expect((await contactImports.refused(id)).count).toBe(0)
    const person = await client.contacts.create({ first_name: "Jo" })
    const { contact, truncated } = await client.contactRecords.get(person.id)
    expect([contact.id, truncated.calls]).toEqual([person.id, false])
    expect((await client.contactErasures.erase(person.id, { confirm: true })).contact_id).toBe(person.id)
    expect((await contactExports.page()).csv).toContain("first_name")
  })

  it("shows the statistics of a range of days", async () => {
    const { agents, days, totals } = await client.statistics.get({ start_date: "2026-03-01", end_date: "2026-03-03" })
    expect(days.map(({ date }) => date)).toEqual(["2026-03-01", "2026-03-02", "2026-03-03"])
    expect([totals.calls, agents]).toEqual([0, []])
    expect((await client.statistics.get()).days.length).toBe(30)
  })

  it("works with webhooks", async () => {
    const { webhooks } = client
    const body = { name: "All", url: "https://hooks.example.com", subscribed_events: ["calendar.created"] } as const
    const { id } = await webhooks.create(body)
    expect((await webhooks.get(id)).name).toBe("All")
    await webhooks.patch(id, { name: "Some" })
    await webhooks.put(id, body)
    expect((await webhooks.rotateSecret(id)).secret).toMatch(/^whsec_/)
    const { delivery_id } = await webhooks.test(id)
    expect((await webhooks.deliveries(id)).deliveries).toMatchObject([{ id: delivery_id }])
    expect((await webhooks.delivery(id, delivery_id)).request).toMatchObject({ method: "POST", url: body.url })
    expect((await webhooks.redeliver(id, delivery_id)).status).toBe("pending")
    expect(await webhooks.redeliverFailed(id, { since: "2026-01-01T00:00:00Z" })).toMatchObject({ redelivered: 0 })
    expect((await webhooks.list()).count).toBe(1)
    await webhooks.delete(id)
  })

  it("works with API keys", async () => {
    const { apiKeys } = client
    const { id, value } = await apiKeys.create({ name: "Website", permissions: ["can_read_calendar"] })
    expect(value).toMatch(/^fd_live_/)
    expect((await apiKeys.get(id)).status).toBe("active")
    expect((await apiKeys.rotate(id, { grace_hours: 0 })).value).not.toBe(value)
    expect((await apiKeys.revoke(id)).status).toBe("revoked")
    expect((await Array.fromAsync(apiKeys.list())).map(({ name }) => name)).toEqual(["All", "Website"])
  })

  it("works with members, sessions, sign-in links and the caller", async () => {
    const { caller, members, sessions, signInLinks } = client
    expect(await caller.get()).toMatchObject({ account_name: "Acme", person: null, is_read_only: false })
    expect(await caller.sessions()).toEqual({ count: 0, sessions: [] })
    const { id } = await members.create({ email: "jo@example.com", name: "Jo", role: "viewer" })
    expect((await members.patch(id, { role: "editor" })).role).toBe("editor")
    expect(await members.get(id)).toMatchObject({ email: "jo@example.com", role: "editor" })
    expect((await Array.fromAsync(members.list())).map(({ name }) => name)).toEqual(["Jo"])
    const link = await signInLinks.create({ member_id: id, expires_in_minutes: 5 })
    expect(link.url).toMatch(/\/sign-in\/[\w-]{43}$/)
    expect(await Array.fromAsync(signInLinks.list())).toMatchObject([{ id: link.id, member_id: id }])
    await signInLinks.delete(link.id)
    expect(await Array.fromAsync(sessions.list({ member_id: id }))).toEqual([])
    expect((await sessions.deleteAll({ member_id: id })).deleted).toBe(0)
    await expect(sessions.delete(1)).rejects.toMatchObject({ code: "not_found" })
    await members.delete(id)
  })

  it("works with the account", async () => {
    const { account } = client
    expect(await account.get()).toMatchObject({ name: "Acme", price_per_minute: 0.1, deposits: 100 })
    const changed = await account.patch({ working_hours: { sat: [["10:00", "12:00"]] }, slot_interval_minutes: null })
    expect(changed.working_hours).toEqual({ sat: [["10:00", "12:00"]] })
  })

  it("works with dead-lettered tasks", async () => {
    const { tasks } = client
    expect(await Array.fromAsync(tasks.list({ kind: "mail" }))).toEqual([])
    expect(await tasks.retryAll()).toMatchObject({ retried: 0, next_before_id: null })
    await expect(tasks.retry(1)).rejects.toMatchObject({ code: "not_found" })
  })

  it("works with external calendars", async () => {
    const { externalCalendars } = client
    expect(await externalCalendars.list()).toEqual({ connections: [], providers: ["apple"] })
    await expect(externalCalendars.beginAuthorization({ provider: "google" })).rejects.toMatchObject({
      code: "calendar_not_offered"
    })
    await expect(
      externalCalendars.connectCaldav({ url: "https://127.0.0.1:1/", username: "jo", password: "secret" })
    ).rejects.toMatchObject({ code: "provider_unavailable" })
    await expect(externalCalendars.check("apple")).rejects.toMatchObject({ code: "not_found" })
    await expect(externalCalendars.disconnect("apple")).rejects.toMatchObject({ code: "not_found" })
  })

  it("lists the audit log page by page, and exports it as JSON Lines", async () => {
    const { audit } = client
    const first = await audit.list({ limit: 2 })
    expect(first.entries).toHaveLength(2)
    const all = await Array.fromAsync(audit.list({ limit: 2 }))
    expect(all.slice(0, 2)).toEqual(first.entries)
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    expect(all.length).toBeGreaterThan(10)
    const lines = (await audit.export()).trimEnd().split("\n")
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual(all)
  })

  it("is refused what only the operator may do", async () => {
    const { operator } = client
    const refused = { code: "permission_denied" }
    await expect(operator.accounts({ search: "acme" })).rejects.toMatchObject(refused)
    await expect(operator.deposit(1, { amount: 5 })).rejects.toMatchObject(refused)
    await expect(operator.backlog()).rejects.toMatchObject(refused)
    await expect(operator.tasks({ kind: "mail" })).rejects.toMatchObject(refused)
    await expect(operator.retryTask(1)).rejects.toMatchObject(refused)
    await expect(operator.retryTasks({ account_id: 1 })).rejects.toMatchObject(refused)
    await expect(operator.installation()).rejects.toMatchObject(refused)
  })

  it("has every operation, and the tests above use each", () => {
    const all = Object.entries<object>({ ...client }).flatMap(([name, methods]) =>
      Object.keys(methods).map((method) => `${name}.${method}`)
    )
    expect(all.length).toBeGreaterThan(30)
    expect(all.filter((name) => !used.has(name))).toEqual([])
  })
})

/** Returns the client, and records the names of the operations that are called. */
const recording = (client: FrontdeskClient, used: Set<string>): FrontdeskClient =>
  new Proxy(client, {
    get: (_, resource) => {
      const methods: unknown = Reflect.get(client, resource)
      if (typeof methods !== "object" || methods === null) return methods
      return new Proxy(methods, {
        get: (_, method): unknown => {
          used.add(`${String(resource)}.${String(method)}`)
          return Reflect.get(methods, method)
        }
      })
    }
  })

describe("verifyWebhook", () => {
  const key = Buffer.from("a secret of the tests")
  const secret = `whsec_${key.toString("base64")}`
  const payload = { event_type: "call.ended", call: { id: 7 }, timestamp: "2026-03-08T10:00:00.000Z" }
  const signed = (body: string, at = Math.floor(Date.now() / 1_000)) => ({
    body,
    headers: new Headers({
      "webhook-id": "d1",
      "webhook-timestamp": String(at),
      "webhook-signature": `v1,${createHmac("sha256", key).update(`d1.${at}.${body}`).digest("base64")}`
    })
  })

  it("returns the payload with its type", async () => {
    const { id, payload: verified } = await verifyWebhook(signed(JSON.stringify(payload)), secret)
    expect(id).toBe("d1")
    if (verified.event_type !== "call.ended") expect.fail("It is the end of a call")
    expect(verified.call.id).toBe(7)
  })

  it("rejects with a TypeError that names the secret when there is none", async () => {
    // @ts-expect-error -- An environment variable that is not set.
    await expect(verifyWebhook(signed("{}"), undefined)).rejects.toThrow(/needs at least one secret/)
  })

  it("rejects a changed body, a wrong secret and an old request, with the reason", async () => {
    const request = signed(JSON.stringify(payload))
    await expect(verifyWebhook({ ...request, body: `${request.body} ` }, secret)).rejects.toMatchObject({
      reason: "wrong-signature"
    })
    await expect(verifyWebhook(request, `whsec_${Buffer.from("another").toString("base64")}`)).rejects.toThrow(
      /not verified/
    )
    await expect(verifyWebhook(signed("{}", 1_000), secret)).rejects.toMatchObject({ reason: "too-old" })
  })
})
