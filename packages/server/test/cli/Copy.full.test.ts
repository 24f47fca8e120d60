import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { DatabaseSync } from "node:sqlite"
import { describe, expect, it } from "@effect/vitest"
import * as TestDatabase from "@frontdesk/test-postgres/TestDatabase"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { acmeKey, ask } from "../support/acme.ts"
import { command } from "../support/command.ts"
import { provisionedFolder, serve } from "../support/inProcess.ts"
import * as Programs from "../support/programs.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"
import { containing, matching } from "../support/matching.ts"

/** Returns a folder whose database has Acme, the URL of that database, and the URL of an empty PostgreSQL database. */
const acmeAndEmptyTarget = Effect.gen(function* () {
  const folder = yield* Effect.promise(() => provisionedFolder())
  return { folder, from: `sqlite:${join(folder, "data/frontdesk.db")}`, to: yield* TestDatabase.make }
})

const run = (folder: string, from: string, to: string, ...args: ReadonlyArray<string>) =>
  Effect.promise(() => command(folder, ["copy", "--from", from, "--to", to, ...args]))

const Summary = Schema.fromJsonString(
  Schema.Struct({
    checksum: Schema.String,
    tables: Schema.Array(Schema.Struct({ table: Schema.String, rows: Schema.Int, checksum: Schema.String })),
    sums: Schema.Record(Schema.String, Schema.Finite)
  })
)

const summaryOf = Schema.decodeUnknownSync(Summary)

describe("frontdesk copy", () => {
  it.live(
    "copies an installation whose keys then work at a server on PostgreSQL, and does not overwrite a changed target (D-COPY-3)",
    () =>
      Effect.gen(function* () {
        const { folder, from, to } = yield* acmeAndEmptyTarget
        const first = yield* run(folder, from, to)
        expect(first).toMatchObject({ code: 0, stderr: containing("copying account: 1 of 1 rows") })
        expect(first.stdout).toMatch(/^api_key +1 +[0-9a-f]{16}$/m)
        expect(first.stdout).toMatch(/^balance +100$/m)
        expect(first.stdout).toContain(`frontdesk.db`)

        const again = yield* run(folder, from, to, "--json")
        const { sums, tables } = summaryOf(again.stdout)
        expect(sums).toEqual({ balance: 100, running_calls: 0, events: 0, pending_reminders: 0, pending_deliveries: 0 })
        expect(tables.find(({ table }) => table === "contact")?.rows).toBe(1)

        yield* Effect.promise(async () => {
          const server = await serve(folder, { settings: { FRONTDESK_DATABASE_URL: to } })
          const answer = await ask(server.url, "/api/v1/contacts", undefined, acmeKey)
          expect(answer.status).toBe(200)
          expect(await answer.json()).toMatchObject({ count: 1, contacts: [{ id: 1, first_name: "Jo" }] })
          await server.stop()
        })
        expect(yield* run(folder, from, to)).toMatchObject({
          code: 1,
          stdout: "",
          stderr: containing("has changed since the last copy. Name an empty database with --to")
        })
      })
  )

  it.live(
    "copies nothing when it is killed halfway, and everything when it is run again",
    () =>
      Effect.gen(function* () {
        const { folder, from, to } = yield* acmeAndEmptyTarget
        const database = new DatabaseSync(join(folder, "data/frontdesk.db"))
        // The command prints its progress after 20,000 rows, and then the test kills it before the end of the table.
        database.exec(`WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 21000)
        INSERT INTO contact (account_id, status, stage, search_text, created_at, updated_at, custom_context, industry_context)
        SELECT 1, 'new', 'lead', '', n, n, '{}', '{}' FROM number`)
        database.close()

        const child = spawn(process.execPath, [...Programs.commandLine, "copy", "--from", from, "--to", to], {
          cwd: folder
        })
        let written = ""
        child.stderr.setEncoding("utf8").on("data", (text: string) => {
          written += text
          if (/^copying contact: 2\d{4} of 21001/m.test(written)) child.kill("SIGKILL")
        })
        yield* Effect.promise(() => once(child, "exit"))
        expect(child.signalCode).toBe("SIGKILL")
        expect(written).not.toContain("checking")

        const accounts = yield* Effect.promise(() =>
          command(folder, ["accounts", "list", "--database-url", to, "--json"])
        )
        expect(JSON.parse(accounts.stdout)).toMatchObject({ accounts: [] })
        const again = yield* run(folder, from, to, "--json")
        expect(again.code).toBe(0)
        expect(summaryOf(again.stdout).tables.find(({ table }) => table === "contact")?.rows).toBe(21_001)
      }),
    120_000
  )

  it.live("prints the reason when it cannot copy, and creates no source database", () =>
    Effect.gen(function* () {
      const { folder, from, to } = yield* acmeAndEmptyTarget
      const other = yield* acmeAndEmptyTarget
      const absent = join(folder, "absent.db")
      const cases: ReadonlyArray<readonly [from: string, to: string, code: number, message: string]> = [
        [`sqlite:${absent}`, to, 1, `There is no database at ${absent}`],
        [from, from, 2, "--from and --to are the same database"],
        [to, to, 2, "--from and --to are the same database"],
        [from, other.from, 1, "has another installation. Name an empty database with --to"],
        [to, other.from, 1, 'does not have the current schema. Migrate it with "frontdesk migrate"'],
        ["sqlite::memory:", to, 2, "--from must not be sqlite::memory:"],
        [from, "postgres:nowhere", 2, "--to must be sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE"],
        [
          from,
          "postgres://user:hunter2@127.0.0.1:1/frontdesk",
          1,
          "The database 127.0.0.1:1/frontdesk cannot be opened"
        ],
        [`sqlite:${import.meta.filename}`, to, 1, "file is not a database"],
        [from, `sqlite:${import.meta.filename}`, 1, "file is not a database"],
        [from, `sqlite:${folder}`, 1, `The database ${folder} cannot be opened`]
      ]
      for (const [one, two, code, message] of cases) {
        const end = yield* run(folder, one, two)
        expect(end).toEqual({ code, stdout: "", stderr: containing(message) })
        expect(end.stderr).not.toMatch(/ {4}at |hunter2/)
      }
      expect(existsSync(absent)).toBe(false)
    })
  )

  it.live("reads both URLs from variables, and copies nothing while an idle server runs on the target (D-COPY-4)", () =>
    Effect.gen(function* () {
      const { folder, from, to } = yield* acmeAndEmptyTarget
      const back = `sqlite:${join(temporaryFolder(), "back.db")}`
      for (const [one, two] of [
        [from, to],
        [to, back]
      ] as const) {
        const copied = () => command(folder, ["copy", "--json"], { FRONTDESK_COPY_FROM: one, FRONTDESK_COPY_TO: two })
        yield* Effect.promise(async () => {
          expect(await copied()).toMatchObject({ code: 0 })
          const server = await serve(folder, { settings: { FRONTDESK_DATABASE_URL: two } })
          const refused = await copied()
          await server.stop()
          expect(refused).toMatchObject({
            code: 1,
            stderr: matching(/^frontdesk: Nothing was copied, because .* is in use by /)
          })
          // The command waits until PostgreSQL has ended the sessions of the stopped server.
          await expect.poll(async () => (await copied()).stderr).not.toContain("is in use by")
        })
      }
    })
  )

  it.live("recognizes that two different paths name the same file, while a server uses it", () =>
    Effect.gen(function* () {
      const { folder, from } = yield* acmeAndEmptyTarget
      yield* Effect.promise(async () => {
        const server = await serve(folder)
        const end = await command(folder, [
          "copy",
          "--from",
          from,
          "--to",
          `sqlite:${folder}/data/../data/frontdesk.db`
        ])
        await server.stop()
        expect(end).toMatchObject({ code: 2, stderr: containing("--from and --to are the same database") })
      })
    })
  )

  it.live("names the row and column of a value that PostgreSQL does not accept", () =>
    Effect.gen(function* () {
      const { folder, from, to } = yield* acmeAndEmptyTarget
      const database = new DatabaseSync(join(folder, "data/frontdesk.db"))
      database.exec("UPDATE contact SET company = 'a' || char(0)")
      database.close()
      expect(yield* run(folder, from, to)).toMatchObject({
        code: 1,
        stderr: matching(
          /Nothing was copied: in the table contact of .*, row id 1, account_id 1, company has a NUL character, which PostgreSQL does not accept/
        )
      })
    })
  )
})
