import { Frontdesk } from "@frontdesk/embed"
import { Pool, type PoolClient } from "pg"
import { describe, expect, it } from "vitest"
import { silent, storages, withFrontdesk } from "./opened.ts"
import { withHost } from "./transactions.ts"

/** Runs a test with a connection of the pool, and ends its transaction. */
const withClient = async (pool: Pool, test: (client: PoolClient) => Promise<unknown>): Promise<void> => {
  const client = await pool.connect()
  try {
    await test(client)
  } finally {
    await client.query("ROLLBACK")
    client.release()
  }
}

/** Expects that a call rejects because of a mistake of the program, which the message names. */
const expectMistake = async (call: Promise<unknown>, message: RegExp): Promise<void> => {
  const error = await call.catch((failure: unknown) => failure)
  expect(error).toMatchObject({ code: "validation_error", retryable: false })
  // `toMatchObject` accepts any text for a regular expression.
  expect(String(error)).toMatch(message)
}

describe("a joined transaction", () => {
  it("that was not begun, has failed, is read-only or cannot see the tables rejects with what to change", () =>
    withHost(async ({ frontdesk, pool }) => {
      const { id } = await frontdesk.as("acme").contacts.create({ firstName: "Jo" })
      await pool.query("DROP ROLE IF EXISTS embed_stranger; CREATE ROLE embed_stranger")
      const expected: ReadonlyArray<readonly [string, RegExp]> = [
        ["SELECT 1", /no open transaction. Send BEGIN/],
        ["BEGIN; SELECT 1 / 0", /has failed.* Roll it back/],
        ["BEGIN READ ONLY", /read-only/],
        ["BEGIN; SET LOCAL ROLE embed_stranger", /does not find the tables of Frontdesk/]
      ]
      for (const [statements, message] of expected) {
        await withClient(pool, async (client) => {
          await client.query(statements).catch(() => {})
          const patching = frontdesk.join(client).as("acme").contacts.patch(id, { stage: "customer" })
          await expectMistake(patching, message)
        })
      }
      await expectMistake(frontdesk.join(pool).as("acme").contacts.get(id), /not its pool/)
      expect((await frontdesk.as("acme").contacts.get(id)).stage).toBe("lead")
      await pool.query("DROP ROLE embed_stranger")
    }))

  it("is refused by name when what is joined is not a connection, or the work not a function", () =>
    withHost(async ({ frontdesk }) => {
      for (const wrong of [undefined, null, 5, {}, { hostClient: 5 }]) {
        // @ts-expect-error -- A wrong value of a program in JavaScript.
        expect(() => frontdesk.join(wrong)).toThrow(/^client: Expected a connection/)
      }
      // @ts-expect-error -- As above.
      await expectMistake(frontdesk.transaction(), /work: Expected a function/)
    }))
})

describe("frontdesk.transaction", () => {
  it("rejects a statement on the storage in memory, which has no tables", () =>
    withFrontdesk((frontdesk) =>
      expectMistake(
        frontdesk.transaction(({ client }) => client.query("SELECT 1")),
        /client.query needs a database/
      )
    ))

  it("writes at the right time in a database that reads only and prints few digits by default", () =>
    withHost(async ({ pool }) => {
      const options = "-c default_transaction_read_only=on -c extra_float_digits=-15"
      const reading = new Pool({ ...pool.options, options })
      reading.on("error", () => {})
      const frontdesk = await Frontdesk.open({
        storage: { postgres: { pool: reading, schema: "voice" } },
        workers: false
      })
      await frontdesk.transaction(async ({ as, client }) => {
        await client.query("INSERT INTO crm_note VALUES ('a')")
        await as("acme").contacts.create({ firstName: "Jo" })
      })
      const { items } = await frontdesk.as("acme").contacts.list()
      expect(items.map(({ createdAt }) => Math.abs(Date.parse(createdAt) - Date.now()) < 600_000)).toEqual([true])
      await frontdesk.close()
      await reading.end()
    }))
})

describe("a call whose connection is lost while it writes", () => {
  it("rejects with service_unavailable, because the same call may succeed later", () =>
    withHost(({ frontdesk, pool }) =>
      withClient(pool, async (client) => {
        await client.query("BEGIN; LOCK TABLE voice.contact")
        const created = frontdesk
          .as("acme")
          .contacts.create({ firstName: "Jo" })
          .catch((error: unknown) => error)
        await expect
          .poll(async () => {
            const { rowCount } = await client.query(
              "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE NOT granted AND relation = 'voice.contact'::regclass"
            )
            return rowCount
          })
          .toBe(1)
        expect(await created).toMatchObject({ code: "service_unavailable", retryable: true })
      })
    ))
})

describe("a mount", () => {
  it("answers 503 to a caller whose account cannot be read, because the database cannot be reached", () =>
    withHost(async ({ pool }) => {
      const ended = new Pool(pool.options)
      ended.on("error", () => {})
      const frontdesk = await Frontdesk.open({
        storage: { postgres: { pool: ended, schema: "voice" } },
        workers: false,
        logger: silent
      })
      const handle = frontdesk.fetch({ authenticate: () => ({ accountId: "acme", permissions: ["*"] }) })
      await ended.end()
      expect((await handle(new Request("http://a/api/v1/contacts"))).status).toBe(503)
      await frontdesk.close()
    }))
})

describe("Frontdesk.open", () => {
  it("rejects with the schema that the role may not use", () =>
    withHost(async ({ pool }) => {
      await pool.query("DROP ROLE IF EXISTS embed_stranger; CREATE ROLE embed_stranger")
      const strange = new Pool({ ...pool.options, options: "-c role=embed_stranger" })
      await expect(Frontdesk.open({ storage: { postgres: { pool: strange, schema: "voice" } } })).rejects.toThrow(
        "The storage cannot be opened (a pool of the program): the role may not use the schema voice; grant it USAGE"
      )
      await strange.end()
      await pool.query("DROP ROLE embed_stranger")
    }))
})

describe.each(Object.entries(storages))("frontdesk.transaction on %s", (_, withStorage) => {
  it("rejects its calls with service_unavailable when close() has not waited for it, and stores nothing", () =>
    withStorage(async (storage) => {
      const begun = Promise.withResolvers<void>()
      const closed = Promise.withResolvers<void>()
      await withFrontdesk(
        async (frontdesk) => {
          const transaction = frontdesk.transaction(async ({ as }) => {
            await as("acme").contacts.create({ firstName: "Jo" })
            begun.resolve()
            await closed.promise
            await as("acme").contacts.create({ firstName: "Al" })
          })
          await begun.promise
          await frontdesk.close({ within: 10 })
          closed.resolve()
          await expect(transaction).rejects.toMatchObject({ code: "service_unavailable" })
        },
        { storage }
      )
    }))
})

it("a call that fails and is not awaited is reported to the process", async () => {
  const listeners = process.listeners("unhandledRejection")
  process.removeAllListeners("unhandledRejection")
  const reported = new Promise<unknown>((resolve) => void process.once("unhandledRejection", resolve))
  try {
    await withFrontdesk(async (frontdesk) => {
      await frontdesk.transaction(({ as }) => {
        void as("acme").contacts.get(999)
        return Promise.resolve()
      })
      expect(await reported).toMatchObject({ code: "not_found" })
    })
  } finally {
    process.removeAllListeners("unhandledRejection")
    for (const listener of listeners) process.on("unhandledRejection", listener)
  }
})
