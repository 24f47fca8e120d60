import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { describe, expect, it } from "vitest"
import { acme } from "../support/acme.ts"
import { command, commandJson } from "../support/command.ts"
import { run } from "../support/asProcess.ts"
import { provisionedFolder } from "../support/inProcess.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"
import { containing } from "../support/matching.ts"

/** The URL of a file that is not a database. */
const notADatabase = `sqlite:${import.meta.filename}`

describe("frontdesk", () => {
  it.each([
    ["serve"],
    ["migrate"],
    ["copy"],
    ["provision"],
    ["keys"],
    ["keys rotate"],
    ["accounts deposit"],
    ["check"],
    ["calendars"],
    ["calendars connect"],
    ["outbox"],
    ["outbox retry-all"],
    ["webhooks redeliver-failed"]
  ])("%s --help explains the command", async (name) => {
    const { code, stderr, stdout } = await command(temporaryFolder(), [...name.split(" "), "--help"])
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).toContain(`frontdesk ${name}`)
  })

  it("lists its commands when it is run without arguments", async () => {
    const { code, stdout } = await run(temporaryFolder(), [])
    expect(code).toBe(0)
    for (const name of ["serve", "migrate", "provision", "keys", "accounts", "outbox", "webhooks"])
      expect(stdout).toContain(name)
  })

  it("exits with 2 for an unknown command and points to --help", async () => {
    const { code, stderr, stdout } = await run(temporaryFolder(), ["server"])
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toContain('"frontdesk --help" explains the command')
  })

  it("migrate migrates a new database once when two processes run it at the same time", async () => {
    const folder = temporaryFolder()
    const both = await Promise.all([run(folder, ["migrate"]), run(folder, ["migrate"])])
    expect(both).toMatchObject([
      { code: 0, stderr: "" },
      { code: 0, stderr: "" }
    ])
    expect(both.filter(({ stdout }) => stdout.startsWith("Applied"))).toHaveLength(1)
    expect(await commandJson(folder, ["migrate", "--json"])).toEqual({ applied: [] })
  })

  it("accounts lists accounts, shows one, and adds a deposit to its balance", async () => {
    const folder = await provisionedFolder()
    expect((await command(folder, ["accounts", "deposit", "acme", "0.5"])).stdout).toContain("100.5")
    expect(await commandJson(folder, ["accounts", "deposit", "1", "2", "--json"])).toEqual({ id: 1, balance: 102.5 })
    const listed = await command(folder, ["accounts", "list"])
    expect(listed.stdout).toMatch(/^1 +acme +Acme +standard +America\/New_York +102\.5$/m)
    expect((await command(folder, ["accounts", "show", "acme"])).stdout).toMatch(/^price per minute +0\.1$/m)
  })

  it("accounts movements lists the changes of a balance, filters them, and refuses what it cannot read", async () => {
    const folder = await provisionedFolder()
    await command(folder, ["accounts", "deposit", "acme", "0.5"])
    const list = ["accounts", "movements", "--account", "acme"]
    const { stdout } = await command(folder, list)
    expect(stdout).toMatch(/^ID +TIME +KIND +AMOUNT +BALANCE +CALL$/m)
    expect(stdout).toMatch(/^2 +\S+Z +deposit +0\.5 +100\.5$/m)
    expect(stdout).toContain("Page 1 of 1; movements in total: 2")
    expect(await commandJson(folder, [...list, "--limit", "1", "--json"])).toMatchObject({
      count: 2,
      pages: 2,
      count_is_capped: false,
      movements: [{ id: 2, kind: "deposit", amount: 0.5, balance_after: 100.5, call_id: null }]
    })
    for (const filter of [
      ["--kind", "release"],
      ["--call", "call_1"],
      ["--end-date", "2000-01-01"]
    ]) {
      expect((await command(folder, [...list, ...filter])).stdout).toContain("There are no such movements")
    }
    const wrong = await command(folder, [...list, "--start-date", "2026-01-02", "--end-date", "2026-01-01"])
    expect(wrong).toMatchObject({ code: 2, stdout: "" })
    expect(wrong.stderr).toContain("--end-date is before --start-date")
    expect((await command(folder, [...list, "--kind", "fee"])).stderr).toContain("one of deposit, reservation")
  })

  it("accounts statistics shows every day of a range with a total, and refuses a range that is too long", async () => {
    const folder = await provisionedFolder()
    const show = ["accounts", "statistics", "--account", "acme", "--start-date", "2026-03-01"]
    const { stdout } = await command(folder, [...show, "--end-date", "2026-03-02"])
    expect(stdout).toMatch(/^DATE +CALLS +ANSWERED +MINUTES +SPEND +BOOKINGS +DELIVERIES +FAILURES$/m)
    expect(stdout).toMatch(/^2026-03-01( +0){7}$/m)
    expect(stdout).toMatch(/^total( +0){7}$/m)
    expect(await commandJson(folder, [...show, "--end-date", "2026-03-02", "--json"])).toMatchObject({
      start_date: "2026-03-01",
      end_date: "2026-03-02",
      is_complete: true,
      totals: { calls: 0, spend: 0 }
    })
    const wrong = await command(folder, [...show, "--end-date", "2028-03-01"])
    expect(wrong).toMatchObject({ code: 2, stdout: "" })
    expect(wrong.stderr).toContain("a query has at most 366 days")
  })

  it("audit list and export show the changes of commands, filtered and page by page (D-AUD-2)", async () => {
    const folder = await provisionedFolder()
    await command(folder, ["accounts", "deposit", "acme", "0.5"])
    const list = ["audit", "list", "--account", "acme"]
    const { stdout } = await command(folder, [...list, "--operation", "funds.deposit"])
    expect(stdout).toMatch(/^ID +TIME +ACTOR +OPERATION +RECORD +FIELDS +REQUEST +ADDRESS$/m)
    expect(stdout).toMatch(/^\d+ +\S+Z +command_line +funds\.deposit +account +amount$/m)
    expect(stdout).toContain("This is the oldest entry")
    const page = await commandJson(folder, [...list, "--limit", "1", "--json"])
    expect(page).toMatchObject({
      entries: [
        {
          actor: { type: "command_line", id: null },
          request_id: null,
          operation: "funds.deposit",
          entity: { type: "account", id: null },
          changes: [{ field: "amount", after: 0.5 }]
        }
      ]
    })
    const cursor = /--cursor (\S+)/.exec((await command(folder, [...list, "--limit", "1"])).stdout)?.[1] ?? ""
    const older = (await command(folder, [...list, "--cursor", cursor])).stdout
    expect(older).toContain("accounts.create")
    expect(older.match(/funds\.deposit/g)).toHaveLength(1)
    const exported = (await command(folder, ["audit", "export", "--account", "acme"])).stdout
    const lines = exported.trimEnd().split("\n")
    expect(await commandJson(folder, [...list, "--limit", "100", "--json"])).toEqual({
      entries: lines.map((line): unknown => JSON.parse(line)),
      next_cursor: null
    })
    for (const [wrong, message] of [
      [["--actor-id", "7"], "--actor-id needs --actor"],
      [["--start-date", "2026-01-02", "--end-date", "2026-01-01"], "--end-date is before --start-date"],
      [["--record", "person"], "one of account, agent"]
    ] as const) {
      const refused = await command(folder, [...list, ...wrong])
      expect([wrong, refused.code, refused.stdout]).toEqual([wrong, 2, ""])
      expect(refused.stderr).toContain(message)
    }
  })

  it.each([
    [1, "There is no database at", {}],
    [
      1,
      "The database 127.0.0.1:1/x cannot be opened",
      { FRONTDESK_DATABASE_URL: "postgres://user:hunter2@127.0.0.1:1/x" }
    ],
    [2, "with --database-url (FRONTDESK_DATABASE_URL)", { FRONTDESK_DATABASE_URL: "sqlite::memory:" }],
    [1, "The database /dev cannot be opened", { FRONTDESK_DATABASE_URL: "sqlite:/dev" }],
    [1, `The database ${import.meta.filename} cannot be opened`, { FRONTDESK_DATABASE_URL: notADatabase }]
  ])("accounts list exits with %i and the message: %s", async (code, message, settings) => {
    const end = await command(temporaryFolder(), ["accounts", "list"], settings)
    expect(end).toEqual({ code, stdout: "", stderr: containing(message) })
    expect(end.stderr).not.toContain("    at ")
  })

  it.each([["migrate"], ["serve"], ["accounts list"], ["provision"]])(
    "%s names the file and the setting when the file is not a database",
    async (name) => {
      const folder = temporaryFolder()
      writeFileSync(join(folder, "acme.json"), JSON.stringify(acme))
      const args = [...name.split(" "), ...(name === "provision" ? [join(folder, "acme.json")] : [])]
      const end = await command(folder, args, { FRONTDESK_DATABASE_URL: notADatabase })
      expect(end).toMatchObject({
        code: 1,
        stderr: containing(
          `The database ${import.meta.filename} cannot be opened: file is not a database. ` +
            "Choose another one with --database-url (FRONTDESK_DATABASE_URL)"
        )
      })
    }
  )

  it.each([
    ["accounts list"],
    ["accounts deposit 1 1"],
    ["keys list -a 1"],
    ["webhooks list"],
    ["webhooks test 1"],
    ["outbox retry-all"],
    ["secrets status"]
  ])("%s rejects a database without the current schema and does not change it", async (name) => {
    const file = join(temporaryFolder(), "other.db")
    const other = new DatabaseSync(file)
    other.exec("CREATE TABLE a (b)")
    other.close()
    const before = readFileSync(file)
    const end = await command(temporaryFolder(), [...name.split(" "), "--database-url", `sqlite:${file}`])
    expect(end).toEqual({
      code: 1,
      stdout: "",
      stderr: containing(`The database ${file} does not have the current schema. Migrate it with "frontdesk migrate"`)
    })
    expect(readFileSync(file)).toEqual(before)
  })
})
