import {
  Frontdesk,
  type FrontdeskError,
  type Joined,
  fromDrizzle,
  fromKnex,
  fromKysely,
  fromPrisma
} from "@frontdesk/embed"
import { drizzle } from "drizzle-orm/node-postgres"
import knex from "knex"
import { Kysely, PostgresDialect } from "kysely"
import { Pool } from "pg"
import { describe, expect, it } from "vitest"
import { type InLibrary, libraries } from "./libraries.ts"
import { methodsOf, outcomeOf, prepare } from "./samples.ts"
import { type Host, notes, withHost } from "./transactions.ts"

const plan = { name: "plan", displayName: "Plan", variableType: "text", contextType: "contact" } as const

describe.each(Object.entries(libraries))("a transaction of %s", (_, open) => {
  const withLibrary = (test: (host: Host & { readonly transaction: InLibrary }) => Promise<void>) =>
    withHost(async (host) => {
      const { close, transaction } = open(host.pool)
      try {
        await test({ ...host, transaction })
      } finally {
        await close()
      }
    })

  it("stores the rows of the program and of Frontdesk together, and committed() works after its end", () =>
    withLibrary(async ({ frontdesk, pool, transaction }) => {
      const joined = await transaction(async ({ handle, insertNote }) => {
        const joined = frontdesk.join(handle)
        await insertNote("a")
        await joined.as("acme").contacts.create({ firstName: "Jo", customContext: { plan: "pro" }, tags: ["new"] })
        await insertNote("b")
        expect((await frontdesk.as("acme").contacts.list()).count).toBe(0)
        return joined
      })
      await joined.committed()
      expect(await notes(pool)).toBe(2)
      const { items } = await frontdesk.as("acme").contacts.list()
      expect(items).toMatchObject([{ firstName: "Jo", customContext: { plan: "pro" }, tags: ["new"] }])
    }))

  it("that rolls back leaves nothing of Frontdesk", () =>
    withLibrary(async ({ frontdesk, pool, transaction }) => {
      const work = transaction(async ({ handle, insertNote }) => {
        const { calendar, contacts } = frontdesk.join(handle).as("acme")
        await insertNote("a")
        await contacts.create({ firstName: "Jo" })
        await calendar.create({ title: "Visit", startTime: "2099-03-02T10:00Z", endTime: "2099-03-02T10:30Z" })
        throw new Error("no")
      })
      await expect(work).rejects.toThrow("no")
      expect(await notes(pool)).toBe(0)
      expect((await frontdesk.as("acme").contacts.list()).count).toBe(0)
      expect((await frontdesk.as("acme").calendar.list()).count).toBe(0)
    }))

  it("stays usable after calls that fail, in Frontdesk and in PostgreSQL", () =>
    withLibrary(async ({ frontdesk, pool, transaction }) => {
      await frontdesk.as("acme").variables.create(plan)
      await transaction(async ({ handle, insertNote }) => {
        const { contacts, variables } = frontdesk.join(handle).as("acme")
        await expect(contacts.get(999)).rejects.toMatchObject({ code: "not_found" })
        // A violated constraint, which PostgreSQL reports.
        await expect(variables.create(plan)).rejects.toMatchObject({ code: "duplicate_variable" })
        await insertNote("a")
        await contacts.create({ firstName: "Jo" })
      })
      expect(await notes(pool)).toBe(1)
      expect((await frontdesk.as("acme").contacts.list()).count).toBe(1)
    }))

  it("returns the same values as a call outside, for values of every type", () =>
    withLibrary(async ({ frontdesk, transaction }) => {
      const acme = frontdesk.as("acme")
      await acme.businessContext.set({
        variables: { opening: "42", staff: 7, motto: '"quoted"', is_open: true },
        autoCreateVariables: true
      })
      await acme.contacts.create({ firstName: "Jo", customContext: { nested: { list: [1, "2", null] } } })
      await acme.calendar.create({
        title: "Visit",
        startTime: "2099-03-02T10:00:00.123Z",
        endTime: "2099-03-02T10:30Z"
      })
      const { webhook } = await acme.webhooks.create({
        name: "All",
        url: "https://example.com/",
        subscribedEvents: ["calendar.created"]
      })
      const read = async ({ agents, businessContext, calendar, contacts, webhooks }: typeof acme) => ({
        agents: (await agents.list()).items,
        business: await businessContext.get(),
        events: (await calendar.list()).items,
        contacts: (await contacts.list()).items,
        webhook: await webhooks.get(webhook.id)
      })
      const outside = await read(acme)
      expect(await transaction(({ handle }) => read(frontdesk.join(handle).as("acme")))).toEqual(outside)
    }))

  it("law: every method succeeds or fails as on a connection of node-postgres", { timeout: 60_000 }, () =>
    withLibrary(async ({ frontdesk, pool, transaction }) => {
      const { samples } = await prepare(frontdesk)
      /** Returns the outcome of every method, each in a savepoint of one transaction. */
      const outcomes = async (joined: Joined) => {
        const all: Array<string> = []
        for (const [name, method] of methodsOf(joined.as("acme"))) {
          const outcome = await outcomeOf(method, samples[name] ?? [])
          all.push(`${name} ${outcome instanceof Error ? outcome.message : "succeeds"}`)
        }
        return all
      }
      const client = await pool.connect()
      await client.query("BEGIN")
      const expected = await outcomes(frontdesk.join(client))
      await client.query("ROLLBACK")
      client.release()
      expect(expected.filter((outcome) => outcome.endsWith("succeeds")).length).toBeGreaterThan(25)
      expect(await transaction(({ handle }) => outcomes(frontdesk.join(handle)))).toEqual(expected)
    })
  )

  it("may follow another one on the same connection, in which a late call takes no part", () =>
    withLibrary(async ({ frontdesk, transaction }) => {
      const ended: Array<Joined> = []
      for (const firstName of ["Jo", "Al", "Bo"]) {
        await transaction(async ({ handle }) => {
          const joined = frontdesk.join(handle)
          await joined.as("acme").contacts.create({ firstName })
          ended.push(joined)
        })
      }
      for (const { as, committed } of ended) {
        await committed()
        await expect(as("acme").contacts.create({ firstName: "late" })).rejects.toSatisfy((error) =>
          Frontdesk.isError(error)
        )
      }
      expect((await frontdesk.as("acme").contacts.list()).count).toBe(3)
    }))

  it("runs statements of the program and of Frontdesk in turn", () =>
    withLibrary(async ({ frontdesk, pool, transaction }) => {
      await transaction(async ({ handle, insertNote }) => {
        const [one, other] = [frontdesk.join(handle), frontdesk.join(handle)]
        await Promise.all([one, other, one].map((joined) => joined.as("acme").contacts.create({ firstName: "Jo" })))
        await insertNote("a")
      })
      expect(await notes(pool)).toBe(1)
      expect((await frontdesk.as("acme").contacts.list()).count).toBe(3)
    }))
})

describe("a value that is not a transaction", () => {
  it("is a TypeError that names the library and what it needs", async () => {
    const pool = new Pool()
    const knexOutside = knex({ client: "pg" })
    const kysely = new Kysely({ dialect: new PostgresDialect({ pool }) })
    expect(() => fromKysely(kysely)).toThrow(/fromKysely needs a transaction of Kysely/)
    expect(() => fromDrizzle(drizzle({ client: pool }))).toThrow(/fromDrizzle needs a transaction/)
    // @ts-expect-error It has no `isCompleted`.
    expect(() => fromKnex(knexOutside)).toThrow(/fromKnex needs a transaction/)
    // @ts-expect-error It has no `$queryRawUnsafe`.
    expect(() => fromPrisma({})).toThrow(/fromPrisma needs an interactive transaction/)
    for (const [name, make] of Object.entries({ fromDrizzle, fromKnex, fromKysely, fromPrisma })) {
      // @ts-expect-error A program in JavaScript can give anything.
      for (const nothing of [undefined, null, 5]) expect(() => make(nothing)).toThrow(`${name} needs`)
    }
    await pool.end()
    await knexOutside.destroy()
  })

  it("is refused by join, which names the functions for other libraries", () =>
    withHost(({ frontdesk, pool }) => {
      // @ts-expect-error A database of a library is not a connection.
      expect(() => frontdesk.join(drizzle({ client: pool }))).toThrow(/fromDrizzle/)
      return Promise.resolve()
    }))

  it("is refused after its end", () =>
    withHost(async ({ frontdesk, pool }) => {
      const db = knex({ client: "pg", connection: String(pool.options.connectionString), pool: { min: 0, max: 1 } })
      const handle = await db.transaction((trx) => Promise.resolve(fromKnex(trx)))
      const late = frontdesk.join(handle)
      const error: unknown = await late
        .as("acme")
        .contacts.create({})
        .catch((failure: unknown) => failure)
      expect(Frontdesk.isError(error, "validation_error") && (error satisfies FrontdeskError).message).toMatch(/ended/)
      await late.committed()
      await db.destroy()
    }))
})
