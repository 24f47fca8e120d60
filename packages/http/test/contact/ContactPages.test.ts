import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Caller, idOf, makeTestApi, storages, type TestApi } from "../testApi.ts"

describe.each(storages)("a page of contacts with large contexts, on %s", (storage) => {
  let api: TestApi
  let caller: Caller
  beforeAll(async () => {
    api = await makeTestApi(storage)
    caller = await api.caller()
  })
  afterAll(() => api.close())

  it("names the contacts that it has without contexts in truncated, and each is complete by itself or on a smaller page (D-PAGE-4)", async () => {
    const context = { a: "x".repeat(65_000) }
    const ids: Array<number> = []
    for (let count = 0; count < 20; count++) {
      const body = { custom_context: context, industry_context: context }
      ids.unshift(idOf(await caller.post("/api/v1/contacts/create", body)))
    }
    const { json, text } = await caller.get("/api/v1/contacts?limit=100")
    // Sixteen contacts with 130,000 bytes of contexts fit into 2 MiB.
    const truncated = ids.slice(16)
    expect(json).toMatchObject({ count: 20, truncated })
    expect(text.length).toBeLessThan(2_097_152 + 20 * 2_048)
    expect((await caller.get("/api/v1/contacts?limit=4&page=5")).json).toMatchObject({ truncated: [] })
    const [first] = truncated
    expect((await caller.get(`/api/v1/contacts/${first}`)).json).toMatchObject({ custom_context: context })
  })

  it("has at most 2 MiB and 2 KiB for each contact, when every contact has its maximum size (D-CON-12)", async () => {
    // This character has six bytes in JSON. Without contexts, 100 such contacts nearly fill a page.
    const control = "\u0001"
    const largest = await api.caller()
    const create = async (count: number, contexts = {}) => {
      const answer = await largest.post("/api/v1/contacts/create", {
        first_name: control.repeat(100),
        last_name: control.repeat(100),
        phone_numbers: Array.from({ length: 90 }, (_, index) => ({
          phone_number: `+120${20_000_000 + count * 100 + index}`,
          phone_type: control.repeat(14)
        })),
        ...contexts
      })
      expect(answer.status).toBe(201)
    }
    await Promise.all(Array.from({ length: 82 }, (_, count) => create(count)))
    const contexts = { custom_context: { a: control.repeat(10_900) } }
    await Promise.all(Array.from({ length: 18 }, (_, count) => create(82 + count, contexts)))
    const { json, text } = await largest.get("/api/v1/contacts?limit=100")
    // The page has space for the contexts of the five newest contacts only.
    expect(json["truncated"]).toHaveLength(95)
    expect(Buffer.byteLength(text)).toBeGreaterThan(1_800_000)
    expect(Buffer.byteLength(text)).toBeLessThan(2_097_152 + 100 * 2_048)
  })
})
