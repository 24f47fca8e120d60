import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeWorld, storages, type World } from "./world.ts"

describe.each(storages)("409 limit_reached, on %s", (storage) => {
  let world: World
  beforeAll(async () => {
    world = await makeWorld(storage)
  })
  afterAll(() => world.close())

  it("an account has at most 500 webhooks; one that is deleted makes room (D-ERR-17)", async () => {
    const caller = await world.caller()
    const hook = { name: "Hook", url: "https://hooks.example.com/in", subscribed_events: ["call.ended"] }
    const ids: Array<unknown> = []
    for (let made = 0; made < 500; made++) ids.push((await caller.post("/api/v1/webhooks/create", hook)).json["id"])
    expect(await caller.post("/api/v1/webhooks/create", hook)).toMatchObject({
      status: 409,
      json: { error: "limit_reached", message: "The account has as many webhooks as it may: 500" }
    })
    expect((await caller.get("/api/v1/webhooks")).json["count"]).toBe(500)
    expect((await caller.post(`/api/v1/webhooks/${String(ids[0])}/delete`)).status).toBe(200)
    expect((await caller.post("/api/v1/webhooks/create", hook)).status).toBe(201)
  })

  it("an account has at most 500 definitions of variables, however they are made (D-VAR-16)", async () => {
    const caller = await world.caller()
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
