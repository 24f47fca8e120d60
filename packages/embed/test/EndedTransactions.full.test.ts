import type { Frontdesk, OpenTransaction } from "@frontdesk/embed"
import { describe, expect, it } from "vitest"
import { storages, withFrontdesk } from "./opened.ts"
import { notes, withHost } from "./transactions.ts"

/** Runs statements one after another in a transaction, and resolves with what the transaction resolves or rejects with. */
const outcomeOf = (frontdesk: Frontdesk, statements: ReadonlyArray<string>): Promise<unknown> =>
  frontdesk
    .transaction(async ({ client }) => {
      for (const statement of statements) await client.query(statement)
      return "resolved"
    })
    .catch((error: unknown) => error)

const countContacts = async (frontdesk: Frontdesk): Promise<number> =>
  (await frontdesk.as("acme").contacts.list()).count

const savepoints = [
  "SAVEPOINT a",
  "INSERT INTO crm_note VALUES ('ROLLBACK')",
  "ROLLBACK TO a",
  "rollback /* all */ transaction to savepoint a",
  "RELEASE a",
  "-- COMMIT\nINSERT INTO crm_note VALUES ('; COMMIT')"
]

describe("frontdesk.transaction on a pool", () => {
  it.each([
    { statements: ["COMMIT"], stored: 1 },
    { statements: ["ROLLBACK"], stored: 0 },
    { statements: ["COMMIT AND CHAIN", "INSERT INTO crm_note VALUES ('b')"], stored: 1 },
    { statements: ["ROLLBACK AND CHAIN", "INSERT INTO crm_note VALUES ('b')"], stored: 0 },
    { statements: ["COMMIT", "BEGIN", "INSERT INTO crm_note VALUES ('b')"], stored: 1 },
    { statements: ["ROLLBACK; BEGIN; INSERT INTO crm_note VALUES ('b')"], stored: 0 },
    { statements: ["SET client_min_messages = error", "COMMIT"], stored: 1 },
    { statements: ["INSERT INTO crm_note VALUES ('b'); COMMIT", "RESET ALL"], stored: 2 }
  ])("rejects when the work sends $statements", ({ statements, stored }) =>
    withHost(async ({ frontdesk, pool }) => {
      const outcome = await outcomeOf(frontdesk, ["INSERT INTO crm_note VALUES ('a')", ...statements])
      expect(outcome).toMatchObject({ code: "validation_error", retryable: false })
      expect(String(outcome)).toMatch(/has ended the transaction with a COMMIT or ROLLBACK .* Remove that statement/)
      expect(await notes(pool)).toBe(stored)
      const { rows } = await pool.query(
        "SELECT state FROM pg_stat_activity WHERE datname = current_database() AND state LIKE '%in transaction%'"
      )
      expect(rows).toEqual([])
    })
  )

  it("rejects a call after the end of the transaction with the same reason", () =>
    withHost(async ({ frontdesk }) => {
      const work = async ({ as, client }: OpenTransaction) => {
        await client.query("ROLLBACK")
        await as("acme").contacts.create({ firstName: "Jo" })
      }
      await expect(frontdesk.transaction(work)).rejects.toThrow(/has ended the transaction with a COMMIT or ROLLBACK/)
      expect(await countContacts(frontdesk)).toBe(0)
    }))

  it("commits when the work uses savepoints and chooses the isolation level", () =>
    withHost(async ({ frontdesk, pool }) => {
      const statements = ["SET TRANSACTION ISOLATION LEVEL SERIALIZABLE", ...savepoints]
      expect(await outcomeOf(frontdesk, statements)).toBe("resolved")
      expect(await notes(pool)).toBe(1)
    }))

  it("rejects with the error of a deferred trigger, also when it has the SQLSTATE of a wrong number", () =>
    withHost(async ({ frontdesk, pool }) => {
      await pool.query(`
        CREATE FUNCTION check_note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM NEW.text::integer; RETURN NULL; END';
        CREATE CONSTRAINT TRIGGER checked AFTER INSERT ON crm_note DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW EXECUTE FUNCTION check_note()`)
      try {
        const outcome = await outcomeOf(frontdesk, ["INSERT INTO crm_note VALUES ('a')"])
        expect(outcome).toMatchObject({ code: "service_unavailable", cause: { code: "22P02" } })
        expect(await notes(pool)).toBe(0)
      } finally {
        await pool.query("DROP FUNCTION check_note CASCADE")
      }
    }))
})

describe.each(["SQLite", "PostgreSQL"] as const)("frontdesk.transaction on %s without a pool", (name) => {
  const withTable = (test: (frontdesk: Frontdesk) => Promise<void>) =>
    storages[name]((storage) =>
      withFrontdesk(
        async (frontdesk) => {
          await frontdesk.transaction(async ({ client }) => {
            // An earlier test may have left its table in the database.
            await client.query("DROP TABLE IF EXISTS crm_note")
            await client.query("CREATE TABLE crm_note (text text)")
          })
          try {
            await test(frontdesk)
          } finally {
            await frontdesk.transaction(({ client }) => client.query("DROP TABLE crm_note"))
          }
        },
        { storage }
      )
    )

  const countNotes = (frontdesk: Frontdesk): Promise<number> =>
    frontdesk.transaction(async ({ client }) => (await client.query("SELECT text FROM crm_note")).rows.length)

  it.each(["COMMIT", " ; end", "-- done\n/* a * b */ Commit work", "ROLLBACK", "rollback transaction", "ABORT"])(
    "rejects %j of the work and stores nothing",
    (statement) =>
      withTable(async (frontdesk) => {
        const outcome = await outcomeOf(frontdesk, ["INSERT INTO crm_note VALUES ('a')", statement])
        expect(outcome).toMatchObject({ code: "validation_error", retryable: false })
        expect(String(outcome)).toMatch(/has sent a statement that ends the transaction, so nothing is stored/)
        expect(await countNotes(frontdesk)).toBe(0)
      })
  )

  it("rejects when the work catches the error of its COMMIT, and stores nothing", () =>
    withTable(async (frontdesk) => {
      const work = async ({ as, client }: OpenTransaction) => {
        await as("acme").contacts.create({ firstName: "Jo" })
        await client.query("COMMIT").catch(() => {})
      }
      await expect(frontdesk.transaction(work)).rejects.toMatchObject({ code: "validation_error" })
      expect(await countContacts(frontdesk)).toBe(0)
    }))

  it("keeps what was stored at the same time when the work of another transaction sends ROLLBACK", () =>
    withTable(async (frontdesk) => {
      const { contacts } = frontdesk.as("acme")
      const [, outcome] = await Promise.all([
        contacts.create({}),
        outcomeOf(frontdesk, ["ROLLBACK"]),
        contacts.create({})
      ])
      expect(outcome).toMatchObject({ code: "validation_error" })
      expect(await countContacts(frontdesk)).toBe(2)
    }))

  it("commits when the work uses savepoints, and the words of other statements", () =>
    withTable(async (frontdesk) => {
      expect(await outcomeOf(frontdesk, savepoints)).toBe("resolved")
      expect(await countNotes(frontdesk)).toBe(1)
    }))

  it("executes a statement after thousands of comments", () =>
    withTable(async (frontdesk) => {
      const comments = `${"/* a */".repeat(5_000)}${"--".repeat(5_000)}\n`
      expect(await outcomeOf(frontdesk, [`${comments} INSERT INTO crm_note VALUES ('a')`])).toBe("resolved")
      expect(await countNotes(frontdesk)).toBe(1)
    }))
})
