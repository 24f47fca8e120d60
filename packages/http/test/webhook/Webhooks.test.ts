import type { Permission } from "@frontdesk/core/access/Permission"
import { WebhookEventName } from "@frontdesk/core/webhook-event/WebhookEventName"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  type Caller,
  makeTestApi,
  refusal,
  storages,
  type TestApi,
  aNumber,
  aText,
  aTime,
  idOf,
  like,
  rowsOf,
  textOf
} from "../testApi.ts"

const base = "/api/v1/webhooks"
const hook = {
  name: "Hook",
  url: "https://hooks.example.com/in",
  subscribed_events: ["call.ended", "calendar.created"]
}

describe.each(storages)("webhooks, on %s", (storage) => {
  let api: TestApi
  let caller: Caller
  beforeAll(async () => {
    api = await makeTestApi(storage)
    caller = await api.caller()
  })
  afterAll(() => api.close())

  const create = async (fields: object = {}) =>
    Number((await caller.post(`${base}/create`, { ...hook, ...fields })).json["id"])

  const shape = {
    ...hook,
    is_active: true,
    status: "active",
    created_at: aTime,
    updated_at: aTime,
    last_delivery_at: null,
    last_success_at: null,
    last_failure_at: null,
    last_failure_status: null,
    consecutive_failures: 0
  }

  it.each([
    ["/api/v1/api/webhooks/create", false],
    ["/api/v1/webhooks/create", false],
    ["/api/webhooks/create/", true],
    ["/api/webhooks/create", true]
  ])(
    "create returns 201 at %s, with a Deprecation header: %s (C-2.7-1, C-2.7-3, C-4.7-1, D-HOOK-1)",
    async (path, deprecated) => {
      const answer = await caller.post(path, hook)
      expect(answer.status).toBe(201)
      expect(answer.headers.get("deprecation")).toBe(deprecated ? "@1793491200" : null)
      expect(answer.json).toEqual({
        ...shape,
        id: aNumber,
        secret: like(/.{20,}/),
        message: aText
      })
    }
  )

  it("no read returns the secret that the create has returned (C-4.7-4, D-HOOK-3)", async () => {
    const { id, secret } = (await caller.post(`${base}/create`, hook)).json
    expect((await caller.get(`${base}/${textOf(id)}`)).json).toEqual({ ...shape, id })
    for (const path of [`${base}/${textOf(id)}`, base, `${base}/${textOf(id)}/deliveries`]) {
      expect((await caller.get(path)).text).not.toContain(textOf(secret))
    }
  })

  it("list returns { count, webhooks } (C-4.7-3, D-HOOK-2)", async () => {
    const fresh = await api.caller()
    expect((await fresh.get(base)).json).toEqual({ count: 0, webhooks: [] })
    const id = idOf(await fresh.post(`${base}/create`, hook))
    expect((await fresh.get(base)).json).toEqual({ count: 1, webhooks: [{ ...shape, id }] })
  })

  it("the OpenAPI document has the required fields of a create and a PUT", async () => {
    const needed = { required: ["name", "url", "subscribed_events"] }
    expect((await caller.get("/openapi.json")).json["components"]).toMatchObject({
      schemas: { CreateWebhook: needed, PutWebhook: needed }
    })
  })

  it("create names all missing required fields (C-4.7-2)", async () => {
    expect((await caller.post(`${base}/create`, {})).json).toEqual(
      refusal("missing_parameter", "name", "url", "subscribed_events")
    )
    expect((await caller.post(`${base}/create`, { ...hook, url: null })).json).toEqual(
      refusal("missing_parameter", "url")
    )
  })

  it.each([
    ["url", "http://hooks.example.com", "invalid_url"],
    ["url", "hooks", "invalid_url"],
    ["url", 1, "invalid_url"],
    ["subscribed_events", [], "invalid_event"],
    ["subscribed_events", ["call.nope"], "invalid_event"],
    ["subscribed_events", "call.ended", "invalid_event"],
    ["subscribed_events", [1], "invalid_event"],
    ["name", "", "validation_error"],
    ["name", 1, "validation_error"]
  ])("%s = %j gets 400 %s from POST, PUT and PATCH (C-2.7-2, D-HOOK-6, D-HOOK-7)", async (field, value, code) => {
    const id = await create()
    for (const answer of [
      await caller.post(`${base}/create`, { ...hook, [field]: value }),
      await caller.put(`${base}/${id}/update`, { ...hook, [field]: value }),
      await caller.patch(`${base}/${id}/update`, { [field]: value })
    ]) {
      expect([answer.status, answer.json["error"]]).toEqual([400, code])
    }
  })

  it("invalid_event names the unknown webhook events and all known ones", async () => {
    const { json } = await caller.post(`${base}/create`, { ...hook, subscribed_events: ["call.ended", "call.nope"] })
    const events = WebhookEventName.literals
    expect(events).toHaveLength(12)
    expect(json["details"]).toEqual([
      {
        field: "subscribed_events",
        code: "invalid_value",
        message: `Unknown event names: call.nope. The event names are ${events.join(", ")}`
      }
    ])
  })

  it("PUT replaces all fields but the secret, PATCH changes the given fields, and is_active turns a webhook off and on", async () => {
    const id = await create()
    const put = await caller.put(`${base}/${id}/update`, { ...hook, name: "New", is_active: false })
    expect([put.status, put.json]).toEqual([
      200,
      { ...shape, id, name: "New", is_active: false, status: "disabled", message: "Webhook updated" }
    ])
    expect((await caller.put(`${base}/${id}/update`, { name: "x" })).json["error"]).toBe("missing_parameter")
    expect((await caller.patch(`${base}/${id}/update`, { is_active: true })).json).toMatchObject({
      name: "New",
      is_active: true,
      status: "active"
    })
    expect((await caller.patch(`${base}/${id}/update`, { is_active: "no" })).json).toEqual(
      refusal("validation_error", "is_active")
    )
  })

  it("rotate-secret returns the webhook with a new secret, and grace_hours above 168 gets validation_error", async () => {
    const { id, secret } = (await caller.post(`${base}/create`, hook)).json
    const rotated = await caller.post(`${base}/${textOf(id)}/rotate-secret`)
    expect([rotated.status, rotated.json["id"]]).toEqual([200, id])
    expect(rotated.json["secret"]).not.toBe(secret)
    expect((await caller.post(`${base}/${textOf(id)}/rotate-secret`, { grace_hours: 0 })).status).toBe(200)
    expect((await caller.post(`${base}/${textOf(id)}/rotate-secret`, { grace_hours: null })).status).toBe(200)
    expect((await caller.post(`${base}/${textOf(id)}/rotate-secret`, { grace_hours: 169 })).json).toEqual(
      refusal("validation_error", "grace_hours")
    )
  })

  it("test queues a delivery, which can be listed, filtered and redelivered (C-6.4-4, D-HOOK-10, D-DEL-7, D-DEL-8)", async () => {
    const id = await create()
    const tested = await caller.post(`${base}/${id}/test`)
    expect([tested.status, Object.keys(tested.json)]).toEqual([200, ["delivery_id", "message"]])
    const delivery = {
      id: tested.json["delivery_id"],
      webhook_id: id,
      event_type: "webhook.test",
      status: "pending",
      created_at: aTime,
      next_attempt_at: aTime,
      attempts: []
    }
    const listed = await caller.get(`${base}/${id}/deliveries`)
    expect(listed.json).toEqual({
      count: 1,
      page: 1,
      limit: 20,
      pages: 1,
      count_is_capped: false,
      deliveries: [delivery]
    })
    expect((await caller.get(`${base}/${id}/deliveries?status=failed`)).json["count"]).toBe(0)
    expect((await caller.get(`${base}/${id}/deliveries?status=x`)).json).toEqual(refusal("invalid_parameter", "status"))
    const again = await caller.post(`${base}/${textOf(id)}/deliveries/${textOf(delivery.id)}/redeliver`)
    expect([again.status, again.json]).toMatchObject([200, { id: delivery.id, message: aText }])
    const capitals = textOf(delivery.id).toUpperCase()
    expect((await caller.post(`${base}/${id}/deliveries/${capitals}/redeliver`)).json["id"]).toBe(delivery.id)
  })

  it("sends failed deliveries again, and names the field of a wrong time (D-DEL-33)", async () => {
    const path = `${base}/${await create()}/deliveries/redeliver`
    const answer = await caller.post(path, { since: "2026-01-01T00:00:00Z", until: "2026-02-01T00:00:00+01:00" })
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({
      redelivered: 0,
      until: "2026-01-31T23:00:00.000Z",
      after: null,
      message: "Deliveries queued"
    })
    expect((await caller.post(path, { since: "soon" })).json).toMatchObject({
      error: "validation_error",
      details: [{ field: "since" }]
    })
    expect((await caller.post(path, {})).json).toMatchObject({ details: [{ field: "since" }] })
    const reader = await api.caller({ account: caller.account, permissions: ["can_read_webhooks"] })
    expect((await reader.post(path, { since: "2026-01-01T00:00:00Z" })).status).toBe(403)
  })

  it("a delivery has its request, with signatures only for a caller who may write webhooks (D-DEL-32)", async () => {
    const id = await create()
    const deliveryId = textOf((await caller.post(`${base}/${id}/test`)).json["delivery_id"])
    const path = `${base}/${id}/deliveries/${deliveryId}`
    const unsigned = {
      "Content-Type": "application/json",
      "X-Service-Delivery-ID": deliveryId,
      "X-Service-Event": "webhook.test",
      "webhook-id": deliveryId,
      "webhook-timestamp": like(/^\d+$/)
    }
    const detail = (headers: object, state: string) => ({
      id: deliveryId,
      webhook_id: id,
      event_type: "webhook.test",
      status: "pending",
      created_at: aTime,
      next_attempt_at: aTime,
      attempts: [],
      request: {
        method: "POST",
        url: hook.url,
        headers,
        signatures: state,
        body: like(/"event_type":"webhook.test"/),
        body_bytes: aNumber
      },
      answer: null
    })
    const signatures = { "X-Service-Signature": like(/^[0-9a-f]{64}$/), "webhook-signature": like(/^v1,/) }
    expect((await caller.get(path)).json).toEqual(detail({ ...unsigned, ...signatures }, "present"))
    const reader = await api.caller({ account: caller.account, permissions: ["can_read_webhooks"] })
    expect((await reader.get(path)).json).toEqual(detail(unsigned, "not_permitted"))
  })

  it("the body of a delivery has the signature of ics_url only for a caller who may read the calendar (D-DEL-32)", async () => {
    const hooked = await api.caller()
    const id = idOf(await hooked.post(`${base}/create`, hook))
    await hooked.post("/api/v1/calendar/events/create", {
      title: "x",
      start_time: "2026-03-09T09:00:00Z",
      end_time: "2026-03-09T10:00:00Z"
    })
    const [delivery] = rowsOf(await hooked.get(`${base}/${id}/deliveries`), "deliveries")
    const path = `${base}/${id}/deliveries/${textOf(delivery?.["id"])}`
    const bodyFor = async (permissions: ReadonlyArray<Permission>) => {
      const reader = await api.caller({ account: hooked.account, permissions })
      return (await reader.get(path)).json["request"]
    }
    expect(await bodyFor(["can_read_webhooks", "can_read_calendar"])).toMatchObject({
      body: like(/\/ics\?signature=[\w-]{43}"/)
    })
    expect(await bodyFor(["can_read_webhooks", "can_write_webhooks"])).toMatchObject({
      body: like(/\/ics\?signature=\[hidden\]"/)
    })
  })

  it("a webhook event that a webhook subscribes to becomes a delivery (C-6-1)", async () => {
    const hooked = await api.caller()
    const id = idOf(await hooked.post(`${base}/create`, hook))
    await hooked.post("/api/v1/calendar/events/create", {
      title: "x",
      start_time: "2026-03-09T09:00:00Z",
      end_time: "2026-03-09T10:00:00Z"
    })
    expect((await hooked.get(`${base}/${id}/deliveries`)).json).toMatchObject({
      count: 1,
      deliveries: [{ event_type: "calendar.created", status: "pending" }]
    })
  })

  it.each([[2], [Number.MAX_SAFE_INTEGER]])(
    "page %d of the deliveries is empty, because it is after the last page",
    async (page) => {
      const id = await create()
      await caller.post(`${base}/${id}/test`)
      const { json } = await caller.get(`${base}/${id}/deliveries?limit=${Number.MAX_SAFE_INTEGER}&page=${page}`)
      expect(json).toEqual({ count: 1, page, limit: 100, pages: 1, count_is_capped: false, deliveries: [] })
    }
  )

  it("delete is a POST that returns { message }, and afterwards every request gets 404 not_found (C-4.7-5, D-HOOK-4)", async () => {
    const id = await create()
    const answer = await caller.post(`${base}/${id}/delete`)
    expect([answer.status, Object.keys(answer.json)]).toEqual([200, ["message"]])
    for (const gone of [
      await caller.get(`${base}/${id}`),
      await caller.put(`${base}/${id}/update`, hook),
      await caller.patch(`${base}/${id}/update`, {}),
      await caller.post(`${base}/${id}/delete`),
      await caller.post(`${base}/${id}/rotate-secret`),
      await caller.post(`${base}/${id}/test`),
      await caller.get(`${base}/${id}/deliveries`),
      await caller.post(`${base}/${id}/deliveries/0198c2f0-0000-7000-8000-000000000000/redeliver`)
    ]) {
      expect([gone.status, gone.json]).toEqual([404, refusal("not_found")])
    }
  })

  it("an unknown delivery gets 404, and an invalid id of a delivery or a webhook gets 400", async () => {
    const id = await create()
    const path = (delivery: string) => `${base}/${id}/deliveries/${delivery}/redeliver`
    expect((await caller.post(path("0198c2f0-0000-7000-8000-000000000000"))).json).toEqual(refusal("not_found"))
    expect((await caller.post(path("1"))).json).toEqual(refusal("invalid_parameter", "delivery_id"))
    expect((await caller.get(`${base}/x`)).json).toEqual(refusal("invalid_parameter", "webhook_id"))
  })

  it("reading needs can_read_webhooks, and every other operation needs can_write_webhooks (D-KEY-3)", async () => {
    const id = await create()
    const reader = await api.caller({ account: caller.account, permissions: ["can_read_webhooks"] })
    const writer = await api.caller({ account: caller.account, permissions: ["can_write_webhooks"] })
    for (const path of [base, `${base}/${id}`, `${base}/${id}/deliveries`]) {
      expect([(await reader.get(path)).status, (await writer.get(path)).status]).toEqual([200, 403])
    }
    const redeliver = `${base}/${id}/deliveries/0198c2f0-0000-7000-8000-000000000000/redeliver`
    for (const path of [
      `${base}/create`,
      `${base}/${id}/rotate-secret`,
      `${base}/${id}/test`,
      redeliver,
      `${base}/${id}/delete`
    ]) {
      expect((await reader.post(path, {})).status).toBe(403)
      expect((await writer.post(path, {})).status).not.toBe(403)
    }
    expect((await reader.put(`${base}/${id}/update`, {})).status).toBe(403)
    expect((await reader.patch(`${base}/${id}/update`, {})).status).toBe(403)
  })
})
