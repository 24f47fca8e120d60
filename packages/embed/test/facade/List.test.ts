import { describe, expect, it } from "vitest"
import { withFrontdesk } from "../opened.ts"

const collect = async <A>(rows: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for await (const row of rows) all.push(row)
  return all
}

describe("a list", () => {
  it("gives its requested page when awaited, and all rows when iterated", () =>
    withFrontdesk(async (frontdesk) => {
      const { contacts } = frontdesk.as("acme")
      for (let n = 1; n <= 205; n++)
        await contacts.create({ firstName: `Jo ${n}`, stage: n > 100 ? "customer" : "lead" })
      const page = await contacts.list({ limit: 10, page: 2 })
      expect(page).toMatchObject({ count: 205, page: 2, limit: 10 })
      expect(page.items).toHaveLength(10)
      const all = await collect(contacts.list())
      expect(new Set(all.map(({ id }) => id)).size).toBe(205)
      expect(await collect(contacts.list({ stage: "customer" }))).toHaveLength(105)
      expect((await collect(contacts.list({ limit: 10, page: 2 }))).map(({ id }) => id)).toEqual(
        all.slice(10).map(({ id }) => id)
      )
    }))

  it("gives the large fields of every row when iterated, which a page may leave out", () =>
    withFrontdesk(async (frontdesk) => {
      const { contacts } = frontdesk.as("acme")
      const text = "x".repeat(60_000)
      for (let n = 1; n <= 40; n++) await contacts.create({ firstName: `Jo ${n}`, customContext: { text } })
      const page = await contacts.list({ limit: 100 })
      expect(page.truncated?.length).toBeGreaterThan(0)
      const all = await collect(contacts.list())
      expect(all.map(({ customContext }) => customContext["text"])).toEqual(Array.from({ length: 40 }, () => text))
    }))

  it("without pages has all rows on one", () =>
    withFrontdesk(async (frontdesk) => {
      const { agents, variables } = frontdesk.as("acme")
      expect(await agents.list()).toMatchObject({ count: 1, page: 1, limit: 1, items: [{ name: "Ada" }] })
      expect((await variables.list("contact")).items.every(({ contextType }) => contextType === "contact")).toBe(true)
      expect(await collect(variables.list())).toEqual((await variables.list()).items)
    }))

  it("reads nothing before it is awaited", () =>
    withFrontdesk(async (frontdesk) => {
      const { calendar } = frontdesk.as("acme")
      const listed = calendar.events()
      await calendar.create({ title: "Visit", startTime: "2099-03-02T10:00:00Z", endTime: "2099-03-02T10:30:00Z" })
      expect((await listed).count).toBe(1)
      await expect(calendar.list({ limit: -1 }).catch(() => "caught")).resolves.toBe("caught")
      for (const wrong of [{ limit: -1 }, { limit: -1, page: 2 }, { page: "2" }, "abc", [1]]) {
        // @ts-expect-error -- A plain JavaScript program may send anything.
        const list = () => calendar.list(wrong)
        await expect(list()).rejects.toMatchObject({ code: "validation_error" })
        await expect(collect(list())).rejects.toMatchObject({ code: "validation_error" })
      }
    }))
})
