import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { isDeepStrictEqual, promisify } from "node:util"
import { type AccountServices, Frontdesk } from "@frontdesk/embed"
import { Pool, type PoolClient } from "pg"
import { describe, expect, it } from "vitest"
import { storages, withFrontdesk } from "./opened.ts"
import { methodsOf, outcomeOf, prepare, visit } from "./samples.ts"
import { notes, withHost } from "./transactions.ts"

const dyingHost = fileURLToPath(new URL("dyingHost.ts", import.meta.url))

/** Subscribes a webhook that nothing receives. Returns how often its first delivery was attempted. */
const subscribe = async (frontdesk: Frontdesk): Promise<() => Promise<number | undefined>> => {
  const { webhooks } = frontdesk.as("acme")
  const { webhook } = await webhooks.create({
    name: "Calendar",
    url: "http://127.0.0.1:9/",
    subscribedEvents: ["calendar.created"]
  })
  return async () => (await webhooks.deliveries(webhook.id)).items[0]?.attempts.length
}

/** Returns all settings of a connection that a session can change. */
const settingsOf = async (client: PoolClient): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await client.query<{ name: string; setting: string }>(
    // An extension that is loaded meanwhile adds settings of its own.
    "SELECT name, setting FROM pg_settings WHERE name NOT LIKE '%.%' ORDER BY name"
  )
  return new Map(rows.map(({ name, setting }) => [name, setting]))
}

/** Returns the rows of every table of the schema, as text. */
const rowsOf = async (pool: Pool): Promise<ReadonlyMap<string, ReadonlyArray<string>>> => {
  const { rows: tables } = await pool.query<{ tablename: string }>(
    "SELECT tablename FROM pg_tables WHERE schemaname = 'voice' ORDER BY tablename"
  )
  const all = new Map<string, ReadonlyArray<string>>()
  for (const { tablename } of tables) {
    const { rows } = await pool.query<{ row: string }>(`SELECT t::text AS row FROM voice.${tablename} AS t ORDER BY 1`)
    all.set(
      tablename,
      rows.map(({ row }) => row)
    )
  }
  return all
}

describe("frontdesk.transaction", () => {
  it("commits the rows of the program and of Frontdesk together", () =>
    withHost(async ({ frontdesk, pool }) => {
      const event = await frontdesk.transaction(async ({ as, client }) => {
        await client.query("INSERT INTO crm_note VALUES ($1)", ["Call Jo"])
        expect(await notes(pool)).toBe(0)
        return as("acme").calendar.create(visit)
      })
      expect(await notes(pool)).toBe(1)
      expect((await frontdesk.as("acme").calendar.get(event.id)).title).toBe("Visit")
    }))

  it("stores nothing when the work rejects, and rejects with its error", () =>
    withHost(async ({ frontdesk, pool }) => {
      const error = new Error("The customer changed her mind")
      const before = await rowsOf(pool)
      await expect(
        frontdesk.transaction(async ({ as, client }) => {
          await client.query("INSERT INTO crm_note VALUES ('a')")
          await as("acme").calendar.create(visit)
          throw error
        })
      ).rejects.toBe(error)
      expect(await notes(pool)).toBe(0)
      expect(await rowsOf(pool)).toEqual(before)
    }))

  it("stays usable after a call that fails", () =>
    withHost(async ({ frontdesk, pool }) => {
      await frontdesk.transaction(async ({ as, client }) => {
        await expect(as("acme").contacts.get(999)).rejects.toMatchObject({ code: "not_found" })
        await expect(as("acme").calendar.create({ ...visit, endTime: visit.startTime })).rejects.toMatchObject({
          code: "invalid_time_range"
        })
        await client.query("INSERT INTO crm_note VALUES ('a')")
        await as("acme").contacts.create({ firstName: "Jo" })
      })
      expect(await notes(pool)).toBe(1)
      expect((await frontdesk.as("acme").contacts.list()).count).toBe(1)
    }))

  it("rejects when the program has caught the error of a statement, because PostgreSQL then stores nothing", () =>
    withHost(async ({ frontdesk, pool }) => {
      await expect(
        frontdesk.transaction(async ({ as, client }) => {
          await as("acme").contacts.create({ firstName: "Jo" })
          await client.query("SELECT 1 / 0").catch(() => {})
        })
      ).rejects.toMatchObject({ code: "server_error" })
      expect((await frontdesk.as("acme").contacts.list()).count).toBe(0)
      await pool.query("SELECT 1")
    }))

  it("that has begun is finished before close() ends", () =>
    withHost(async ({ frontdesk, pool }) => {
      let closing = Promise.resolve()
      await frontdesk.transaction(async ({ as, client }) => {
        await client.query("INSERT INTO crm_note VALUES ('a')")
        closing = frontdesk.close()
        await as("acme").contacts.create({ firstName: "Jo" })
      })
      await closing
      expect(await notes(pool)).toBe(1)
      await expect(frontdesk.transaction(() => Promise.resolve())).rejects.toMatchObject({
        code: "service_unavailable"
      })
    }))

  it("waits for calls that were not awaited, and rejects calls after its end", () =>
    withHost(async ({ frontdesk }) => {
      const leaked: Array<AccountServices> = []
      let unawaited: Promise<unknown> = Promise.resolve()
      await frontdesk.transaction(({ as }) => {
        leaked.push(as("acme"))
        unawaited = as("acme").calendar.create(visit)
        return Promise.resolve()
      })
      await unawaited
      expect((await frontdesk.as("acme").calendar.list()).count).toBe(1)
      await expect(leaked[0]?.contacts.create({})).rejects.toThrow(/has ended/)
      const failing = frontdesk.transaction(async ({ as }) => {
        const creating = Array.from({ length: 5 }, () => as("acme").contacts.create({}))
        await Promise.all([...creating, Promise.reject(new Error("no"))])
      })
      await expect(failing).rejects.toThrow("no")
      expect((await frontdesk.as("acme").contacts.list()).count).toBe(0)
    }))

  it("starts no call, because a rollback could not undo it", () =>
    withHost(async ({ frontdesk }) => {
      const call = { phoneNumber: "+12025550123", agentId: "asst_ada" }
      await frontdesk.transaction(async ({ as }) => {
        await expect(as("acme").calls.start(call)).rejects.toThrow(/after the transaction has committed/)
        expect((await as("acme").calls.dryRun(call)).agent.name).toBe("Ada")
      })
      expect((await frontdesk.as("acme").calls.list()).count).toBe(0)
    }))

  it("survives the loss of its connection, and rejects", () =>
    withHost(async ({ frontdesk, pool }) => {
      await expect(
        frontdesk.transaction(async ({ as, client }) => {
          await as("acme").contacts.create({ firstName: "Jo" })
          const { rows } = await client.query<{ readonly pid: number }>("SELECT pg_backend_pid() AS pid")
          await pool.query("SELECT pg_terminate_backend($1)", [rows[0]?.pid])
          await as("acme").contacts.create({ firstName: "Al" })
        })
      ).rejects.toMatchObject({ code: "service_unavailable", retryable: true })
      expect((await frontdesk.as("acme").contacts.list()).count).toBe(0)
    }))

  it.each(["memory", "SQLite", "PostgreSQL"] as const)("is also one on %s without a pool", (name) =>
    storages[name]((storage) =>
      withFrontdesk(
        async (frontdesk) => {
          await expect(
            frontdesk.transaction(async ({ as }) => {
              await as("acme").contacts.create({ firstName: "Jo" })
              throw new Error("no")
            })
          ).rejects.toThrow("no")
          expect((await frontdesk.as("acme").contacts.list()).count).toBe(0)
          await frontdesk.transaction(async ({ as, client }) => {
            if (name !== "memory") await client.query("CREATE TABLE IF NOT EXISTS crm_note (text text)")
            await Promise.all([as("acme").contacts.create({}), as("acme").contacts.create({})])
            if (name !== "memory") await client.query("INSERT INTO crm_note VALUES ('a')")
          })
          expect((await frontdesk.as("acme").contacts.list()).count).toBe(2)
        },
        { storage }
      )
    )
  )
})

describe("frontdesk.join", () => {
  const inTransaction = async (pool: Pool, work: (client: PoolClient) => Promise<void>): Promise<void> => {
    const client = await pool.connect()
    try {
      await client.query("BEGIN")
      await work(client)
    } finally {
      client.release()
    }
  }

  it("takes part in the transaction of the program, and committed() works after the release", () =>
    withHost(async ({ frontdesk, pool }) => {
      let committed = (): Promise<void> => expect.fail("not joined")
      await inTransaction(pool, async (client) => {
        const joined = frontdesk.join(client)
        await client.query("INSERT INTO crm_note VALUES ('a')")
        // Calls at the same time run one after another.
        await Promise.all([1, 2, 3].map((n) => joined.as("acme").contacts.create({ firstName: `Jo ${n}` })))
        expect((await joined.as("acme").contacts.list()).count).toBe(3)
        expect((await frontdesk.as("acme").contacts.list()).count).toBe(0)
        await client.query("COMMIT")
        committed = joined.committed
      })
      await committed()
      expect((await frontdesk.as("acme").contacts.list()).count).toBe(3)
    }))

  it("may be joined several times, and the calls run in turn", () =>
    withHost(async ({ frontdesk, pool }) => {
      await inTransaction(pool, async (client) => {
        const [one, other] = [frontdesk.join(client), frontdesk.join(client)]
        await Promise.all([
          one.as("acme").contacts.create({ firstName: "Jo" }),
          expect(other.as("acme").contacts.get(999)).rejects.toMatchObject({ code: "not_found" }),
          other.as("acme").contacts.create({ firstName: "Al" })
        ])
        await client.query("COMMIT")
      })
      expect((await frontdesk.as("acme").contacts.list()).count).toBe(2)
    }))

  it("stores in the table of the schema, beside a temporary table of the same name", () =>
    withHost(async ({ frontdesk, pool }) => {
      await inTransaction(pool, async (client) => {
        await client.query("CREATE TEMP TABLE contact (LIKE voice.contact INCLUDING ALL) ON COMMIT DROP")
        await frontdesk.join(client).as("acme").contacts.create({ firstName: "Jo" })
        await client.query("COMMIT")
      })
      expect((await frontdesk.as("acme").contacts.list()).count).toBe(1)
    }))

  it("law: a rollback of the program leaves no row of any table, for every method", { timeout: 120_000 }, () =>
    withHost(async ({ frontdesk, pool }) => {
      const { samples } = await prepare(frontdesk)
      const before = await rowsOf(pool)
      let written = 0
      for (const name of methodsOf(frontdesk.as("acme")).keys()) {
        await inTransaction(pool, async (client) => {
          const method = methodsOf(frontdesk.join(client).as("acme")).get(name)
          const outcome = await outcomeOf(method, samples[name] ?? [])
          if (outcome instanceof Error && !Frontdesk.isError(outcome)) expect.fail(`${name}: ${outcome.message}`)
          const { rows } = await client.query<{ id: string | null }>("SELECT pg_current_xact_id_if_assigned() AS id")
          if (rows[0]?.id !== null) written += 1
          await client.query("ROLLBACK")
        })
        if (!isDeepStrictEqual(await rowsOf(pool), before)) expect.fail(`${name} has left rows`)
      }
      expect(written).toBeGreaterThan(15)
    })
  )

  it("leaves nothing of its settings on the connection, after a success and after a failure", () =>
    withHost(async ({ frontdesk, pool }) => {
      await inTransaction(pool, async (client) => {
        await client.query("SET LOCAL statement_timeout = '7s'")
        const before = await settingsOf(client)
        const { contacts } = frontdesk.join(client).as("acme")
        await contacts.create({ firstName: "Jo" })
        expect(await settingsOf(client)).toEqual(before)
        await expect(contacts.get(999)).rejects.toMatchObject({ code: "not_found" })
        expect(await settingsOf(client)).toEqual(before)
        await client.query("COMMIT")
      })
    }))

  it("throws unless the storage is a pool of the program", () =>
    withFrontdesk(async (frontdesk) => {
      const pool = new Pool()
      expect(() => frontdesk.join(pool)).toThrow(/needs storage: \{ postgres: \{ pool \} \}/)
      await pool.end()
    }))
})

describe("a pool of the program", () => {
  it("is not closed, and keeps its own parsers and settings", () =>
    withHost(async ({ frontdesk, pool }) => {
      await frontdesk.as("acme").contacts.create({ firstName: "Jo" })
      await frontdesk.close()
      const client = await pool.connect()
      const own = await client.query("SELECT 1::bigint AS one, current_setting('search_path') AS path")
      client.release()
      expect(own.rows).toEqual([{ one: "1", path: '"$user", public' }])
      const { rows } = await pool.query("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
      expect(rows).toEqual([{ count: "1" }])
    }))

  it("gets back no connection with an open or failed transaction", () =>
    withHost(async ({ frontdesk, pool }) => {
      const { contacts } = frontdesk.as("acme")
      for (let n = 0; n < 20; n++) {
        const listing = contacts.list().catch((error: unknown) => error)
        await pool.query(
          "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        await listing
        for (let client = 0; client < 5; client++) await pool.query("SELECT 1")
      }
    }))

  it("sends the webhooks of a transaction after its commit", () =>
    withHost(async ({ frontdesk }) => {
      const attempts = await subscribe(frontdesk)
      await frontdesk.transaction(async ({ as }) => void (await as("acme").calendar.create(visit)))
      await expect.poll(attempts).toBe(1)
    }, true))

  it("sends the webhooks of a joined transaction at the next poll when committed() is not called", () =>
    withHost(async ({ frontdesk, pool }) => {
      const attempts = await subscribe(frontdesk)
      const client = await pool.connect()
      await client.query("BEGIN")
      await frontdesk.join(client).as("acme").calendar.create(visit)
      await client.query("COMMIT")
      client.release()
      await expect.poll(attempts).toBe(1)
    }, true))

  it("sends the webhooks of a program that is killed between its COMMIT and committed()", () =>
    withHost(async ({ frontdesk, pool }) => {
      const attempts = await subscribe(frontdesk)
      const dying = promisify(execFile)(process.execPath, [dyingHost, String(pool.options.connectionString)])
      await expect(dying).rejects.toMatchObject({ signal: "SIGKILL" })
      await expect.poll(attempts).toBe(1)
    }, true))
})
