import { AccountLimits, defaultLimits } from "@frontdesk/core/access/AccountLimits"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeTestApi, storageLayers, storages, type TestApi } from "./testApi.ts"

// The default limit of webhooks needs a hundred requests, so the tests lower it.
const maxWebhooks = 20
const limits = Layer.succeed(AccountLimits, { ...defaultLimits, webhooks: maxWebhooks })

it("an account has at most 100 webhooks by default (D-HOOK-12)", () => {
  expect(defaultLimits.webhooks).toBe(100)
})

describe.each(storages)("409 limit_reached, on %s", (storage) => {
  let api: TestApi
  beforeAll(async () => {
    api = await makeTestApi(Layer.merge(storageLayers[storage], limits))
  })
  afterAll(() => api.close())

  it("a webhook above the limit gets limit_reached until another one is deleted (D-ERR-17)", async () => {
    const caller = await api.caller()
    const hook = { name: "Hook", url: "https://hooks.example.com/in", subscribed_events: ["call.ended"] }
    const ids: Array<unknown> = []
    for (let made = 0; made < maxWebhooks; made++)
      ids.push((await caller.post("/api/v1/webhooks/create", hook)).json["id"])
    expect(await caller.post("/api/v1/webhooks/create", hook)).toMatchObject({
      status: 409,
      json: {
        error: "limit_reached",
        message: `The account has reached its limit of ${maxWebhooks} webhooks. Delete a webhook that is not needed, or ask the operator for a higher limit`
      }
    })
    expect((await caller.get("/api/v1/webhooks")).json["count"]).toBe(maxWebhooks)
    expect((await caller.post(`/api/v1/webhooks/${String(ids[0])}/delete`)).status).toBe(200)
    expect((await caller.post("/api/v1/webhooks/create", hook)).status).toBe(201)
  })

  it("a definition above the limit of 500 gets limit_reached from the business context and from a create, and a defined value can still be set (D-VAR-16)", async () => {
    const caller = await api.caller()
    const set = (variables: object) =>
      caller.post("/api/v1/business/context", { variables, auto_create_variables: true })
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`v${index}`, index]))
    expect((await set(many)).status).toBe(200)
    expect(await set({ one_more: 1 })).toMatchObject({ status: 409, json: { error: "limit_reached" } })
    const created = await caller.post("/api/v1/context-variables/create", {
      name: "one_more",
      display_name: "One more",
      variable_type: "text",
      context_type: "contact"
    })
    expect(created).toMatchObject({ status: 409, json: { error: "limit_reached" } })
    expect((await set({ v0: 7 })).status).toBe(200)
  })
})
