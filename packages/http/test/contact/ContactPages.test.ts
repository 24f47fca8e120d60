import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Caller, idOf, makeWorld, storages, type World } from "../world.ts"

describe.each(storages)("A page of contacts with large contexts, on %s", (storage) => {
  let world: World
  let caller: Caller
  beforeAll(async () => {
    world = await makeWorld(storage)
    caller = await world.caller()
  })
  afterAll(() => world.close())

  it("has at most 2 MiB of contexts, names the rows that come without, and a contact by itself is whole", async () => {
    const context = { a: "x".repeat(65_000) }
    const ids: Array<number> = []
    for (let count = 0; count < 20; count++) {
      const body = { custom_context: context, industry_context: context }
      ids.unshift(idOf(await caller.post("/api/v1/contacts/create", body)))
    }
    const { json, text } = await caller.get("/api/v1/contacts?limit=100")
    const truncated = ids.slice(16)
    expect(json).toMatchObject({ count: 20, truncated })
    expect(text.length).toBeLessThan(2_200_000)
    expect((await caller.get("/api/v1/contacts?limit=4&page=5")).json).toMatchObject({ truncated: [] })
    const [first] = truncated
    expect((await caller.get(`/api/v1/contacts/${first}`)).json).toMatchObject({ custom_context: context })
  })
})
