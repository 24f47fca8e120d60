import { spawn } from "node:child_process"
import { join } from "node:path"
import process from "node:process"
import { DatabaseSync } from "node:sqlite"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { acmeKey, ask } from "../support/acme.ts"
import { command, commandJson } from "../support/command.ts"
import { run } from "../support/asProcess.ts"
import { provisionedFolder, serve } from "../support/inProcess.ts"
import * as Programs from "../support/programs.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"
import { containing } from "../support/matching.ts"
import { unreachable } from "../support/unreachable.ts"
import { type Google, openGoogle } from "@frontdesk/provider-fakes/google/Google"

const key = `v1:${Buffer.alloc(32, 7).toString("base64")}`

describe("frontdesk calendars and frontdesk check", () => {
  let google: Google
  let folder: string
  let settings: Record<string, string>
  beforeAll(async () => {
    google = await openGoogle()
  })
  afterAll(() => google.close())
  beforeEach(async () => {
    folder = await provisionedFolder()
    google.token = "first"
    google.account = "jo@example.com"
    settings = {
      FRONTDESK_SECRET_KEYS: key,
      FRONTDESK_GOOGLE_CLIENT_ID: "client",
      FRONTDESK_GOOGLE_CLIENT_SECRET: "client-secret",
      FRONTDESK_GOOGLE_BASE_URL: google.url
    }
  })

  const connect = (secret = google.token, ...more: ReadonlyArray<string>) =>
    command(folder, ["calendars", "connect", "--account", "acme", "--provider", "google", ...more], {
      ...settings,
      FRONTDESK_CALENDAR_SECRET: secret
    })

  const calendars = (...args: ReadonlyArray<string>) => command(folder, ["calendars", ...args], settings)

  const credentials = (): unknown => {
    const database = new DatabaseSync(join(folder, "data/frontdesk.db"))
    try {
      return database.prepare("SELECT credentials FROM calendar_connection").get()?.["credentials"]
    } finally {
      database.close()
    }
  }

  it("connect stores the credentials of a usable calendar sealed and prints none of them", async () => {
    const { code, stdout, stderr } = await connect()
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).toContain("Account 1 (Acme) is connected with jo@example.com")
    expect(credentials()).toMatch(/^sealed:1:v1:/)
    const listed = await calendars("list")
    expect(listed.stdout).toMatch(/^1 +acme +Acme +google +jo@example\.com +\d{4}-/m)
    const json = await calendars("list", "--account", "acme", "--json")
    expect(JSON.parse(json.stdout)).toEqual({
      connections: [
        {
          account_id: 1,
          account_ref: "acme",
          account_name: "Acme",
          provider: "google",
          calendar: "jo@example.com",
          created_at: containing("T"),
          updated_at: containing("T")
        }
      ]
    })
    expect(stdout + listed.stdout + json.stdout).not.toContain("first")
    // Google renewed the token during the check of the calendar. The stored token must be the new one.
    expect((await command(folder, ["check"], settings)).code).toBe(0)
  })

  it("connect prints which connection it replaces", async () => {
    expect((await connect()).stdout).not.toContain("instead of")
    const again = await connect(undefined, "--calendar", "primary")
    expect(again.stdout).toContain("with jo@example.com, with new credentials: ")
    const other = await connect(undefined, "--calendar", "team.jo@example.com")
    expect(other.stdout).toContain(
      "with team.jo@example.com, instead of jo@example.com; events that were written there stay there: "
    )
    google.account = "zoe@example.com"
    expect((await connect()).stdout).toContain("with zoe@example.com, instead of team.jo@example.com; ")
  })

  it("connect fails when the operator enters nothing, no address, or an address with another state", async () => {
    const entered = (stdin: string) =>
      run(folder, ["calendars", "connect", "-a", "acme", "-p", "google"], { settings, stdin })
    const [nothing, nonsense, denied] = await Promise.all(
      ["", "the-code\n", "http://localhost/?error=access_denied&state=other\n"].map(entered)
    )
    expect(nothing).toMatchObject({
      code: 2,
      stderr: containing("give a refresh token with FRONTDESK_CALENDAR_SECRET")
    })
    expect(nonsense).toMatchObject({ code: 2, stderr: containing("The entered text is not an address") })
    expect(denied).toMatchObject({ code: 1, stderr: containing("Access to the calendar was not obtained") })
    expect(credentials()).toBeUndefined()
  })

  it("connect prints no prompt for the password when standard input is not a terminal", async () => {
    const args = [
      "calendars",
      "connect",
      "-a",
      "acme",
      "-p",
      "apple",
      "--username",
      "jo",
      "--url",
      "http://127.0.0.1:1/"
    ]
    const { code, stderr } = await run(folder, args, { settings, stdin: "hunter2\n" })
    expect(code).toBe(1)
    expect(stderr).not.toMatch(/password of|hunter2/)
  })

  it("connect changes nothing when the calendar cannot be used (D-EXT-12)", async () => {
    await connect()
    const before = credentials()
    for (const refused of [await connect("revoked"), await connect(undefined, "--calendar", "unknown")]) {
      expect(refused.code).toBe(1)
      expect(refused.stderr).toContain("nothing was changed")
    }
    expect(credentials()).toBe(before)
    const unknown = await command(folder, ["calendars", "connect", "-a", "acme", "-p", "outlook"], settings)
    expect(unknown.code).toBe(2)
    expect(unknown.stderr).toContain("FRONTDESK_OUTLOOK_CLIENT_ID")
    expect((await calendars("connect", "-a", "acme", "-p", "apple")).stderr).toContain("--username")
  })

  it("connect fails without the keys that seal the stored secrets, and with other keys (D-SRV-9)", async () => {
    await connect()
    const before = credentials()
    const keyless = { ...settings, FRONTDESK_SECRET_KEYS: "", FRONTDESK_CALENDAR_SECRET: "first" }
    const other = { ...keyless, FRONTDESK_SECRET_KEYS: `v2:${Buffer.alloc(32, 8).toString("base64")}` }
    for (const given of [keyless, other]) {
      const refused = await run(folder, ["calendars", "connect", "-a", "acme", "-p", "google"], { settings: given })
      expect(refused).toMatchObject({ code: 1, stdout: "" })
      expect(refused.stderr).toMatch(/^frontdesk: Nothing was changed\. .* FRONTDESK_SECRET_KEYS or --secret-keys-file/)
      expect(refused.stderr).toContain('the key version "v1", which is not given')
    }
    expect(credentials()).toBe(before)
  })

  it("connect rejects a user name or password that CalDAV cannot have, and prints neither", async () => {
    for (const [username, secret] of [
      ["jo:x", "secret"],
      ["", "secret"],
      ["jo", "sec\tret"]
    ] as const) {
      const { code, stderr } = await command(
        folder,
        [
          "calendars",
          "connect",
          "-a",
          "acme",
          "-p",
          "apple",
          "--username",
          username,
          "--calendar",
          "http://127.0.0.1:1/x/"
        ],
        { ...settings, FRONTDESK_CALENDAR_SECRET: secret }
      )
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: containing("This user name or password cannot be used with CalDAV")
      })
    }
  })

  it("connect prints an address for the authorization and reads the redirect address from standard input", async () => {
    const args = ["calendars", "connect", "--account", "acme", "--provider", "google", "--json"]
    const child = spawn(process.execPath, [...Programs.commandLine, ...args], {
      cwd: folder,
      env: { ...process.env, ...settings, FRONTDESK_DATABASE_URL: `sqlite:${join(folder, "data/frontdesk.db")}` }
    })
    let [stdout, stderr] = ["", ""]
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      stdout += chunk
    })
    await new Promise<void>((resolve) => {
      child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
        stderr += chunk
        if (stderr.includes("enter the address")) resolve()
      })
    })
    const url = new URL(/^http\S+$/m.exec(stderr)?.[0] ?? "")
    expect(url.origin).toBe(google.url)
    expect(url.searchParams.get("redirect_uri")).toBe("http://localhost")
    child.stdin.write(`http://localhost/?code=the-code&state=${url.searchParams.get("state")}\n`)
    const code = await new Promise((resolve) => child.once("close", resolve))
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ account_id: 1, provider: "google", calendar: "jo@example.com" })
  })

  it("sync fails without a connection, and counts only events that have not begun; disconnect deletes the connection", async () => {
    const missing = await calendars("sync", "-a", "acme", "-p", "google")
    expect(missing).toMatchObject({ code: 1, stdout: "" })
    expect(missing.stderr).toContain("is not connected with google")
    const server = await serve(folder, { settings: { FRONTDESK_SECRET_KEYS: key } })
    for (const year of [2001, 2101]) {
      const times = { start_time: `${year}-01-01T09:00:00Z`, end_time: `${year}-01-01T10:00:00Z` }
      await ask(server.url, "/api/v1/calendar/events/create", { title: "x", ...times }, acmeKey)
    }
    await server.stop()
    await connect()
    const synced = await command(folder, ["calendars", "sync", "-a", "acme", "-p", "google", "--json"], settings)
    expect(JSON.parse(synced.stdout)).toEqual({ account_id: 1, provider: "google", events: 1 })
    expect((await calendars("disconnect", "-a", "acme", "-p", "google")).code).toBe(0)
    expect((await calendars("disconnect", "-a", "acme", "-p", "google")).code).toBe(1)
    expect(JSON.parse((await calendars("list", "--json")).stdout)).toEqual({ connections: [] })
  })

  it("resolve creates a task that resolves a conflict in an external calendar, and fails for an unknown event", async () => {
    const server = await serve(folder, { settings: { FRONTDESK_SECRET_KEYS: key } })
    const times = { start_time: "2101-01-01T09:00:00Z", end_time: "2101-01-01T10:00:00Z" }
    await ask(server.url, "/api/v1/calendar/events/create", { title: "x", ...times }, acmeKey)
    await server.stop()
    const resolve = (...args: ReadonlyArray<string>) => calendars("resolve", "-a", "acme", "-p", "google", ...args)
    const none = await resolve("--event", "1", "--resolution", "overwrite")
    expect(none).toMatchObject({ code: 0, stdout: containing("Event 1 has nothing to resolve in google") })
    const database = new DatabaseSync(join(folder, "data/frontdesk.db"))
    const conflict = JSON.stringify({ google: { status: "conflict", at: "2026-03-02T09:00:00.000Z" } })
    database.prepare("UPDATE calendar_event SET external_calendars_status = ?").run(conflict)
    const resolved = await resolve("--event", "1", "--resolution", "keep-theirs", "--json")
    expect(JSON.parse(resolved.stdout)).toEqual({ account_id: 1, event_id: 1, provider: "google", status: "pending" })
    const work: unknown = JSON.parse(String(database.prepare("SELECT work FROM outbox_task").get()?.["work"]))
    expect(work).toEqual({ _tag: "SyncEvent", provider: "google", eventId: 1, resolution: "keep_theirs" })
    database.close()
    expect(await resolve("--event", "99", "--resolution", "overwrite")).toMatchObject({
      code: 1,
      stderr: containing("has no event 99")
    })
    expect((await resolve("--event", "x", "--resolution", "overwrite")).code).toBe(2)
    expect((await resolve("--event", "1", "--resolution", "merge")).code).toBe(2)
  })

  it("check reports the status of each service and exits with 1 when one of them cannot be used", async () => {
    await connect()
    const good = await command(folder, ["check"], settings)
    expect(good).toMatchObject({ code: 0, stderr: "" })
    expect(good.stdout).toMatch(/^ok +google calendar of account 1 /m)
    google.token = "revoked meanwhile"
    const elsewhere = { ...settings, ...unreachable }
    const bad = await command(folder, ["check", "--json"], elsewhere)
    expect(bad.code).toBe(1)
    expect(bad.stderr).toContain("3 of 5 checked services cannot be used")
    expect(JSON.parse(bad.stdout)).toMatchObject({
      checks: [
        { what: "database", is_usable: true },
        { what: "mail", is_usable: false },
        { what: "calls", is_usable: false },
        { what: "secrets", is_usable: true },
        { what: "google calendar of account 1", is_usable: false, says: containing("unauthorized") }
      ]
    })
    expect(bad.stdout + bad.stderr).not.toMatch(/hunter|client-secret/)
  })

  it("check creates no database, and reports a missing database, a missing key and missing settings (D-SRV-12)", async () => {
    const empty = temporaryFolder()
    const none = await command(empty, ["check"])
    expect(none.code).toBe(1)
    expect(none.stdout).toContain("frontdesk migrate")
    expect((await command(empty, ["accounts", "list"])).stderr).toContain("There is no database")
    await connect()
    const { FRONTDESK_SECRET_KEYS: _, ...keyless } = settings
    const lost = await command(folder, ["check"], keyless)
    expect(lost.code).toBe(1)
    expect(lost.stdout).toMatch(/^FAILS +secrets /m)
    expect(lost.stdout).toMatch(/^FAILS +google calendar .* its credentials cannot be opened; see "frontdesk secrets/m)
    expect((await command(folder, ["check"], { FRONTDESK_CALL_PROVIDER: "vapi" })).code).toBe(2)
  })

  it("secrets status counts the credentials, and reseal names the calendars whose credentials are lost", async () => {
    await connect()
    const [next, lost] = [`v2:${Buffer.alloc(32, 8).toString("base64")}`, "v1"]
    const status = await command(folder, ["secrets", "status"], settings)
    expect(status.stdout).toMatch(/^calendar +v1 +1 +0$/m)
    const { stdout } = await command(folder, ["secrets", "reseal", "--replace-unreadable", lost], {
      FRONTDESK_SECRET_KEYS: next
    })
    expect(stdout).toContain("The google calendar of account 1 must be connected again")
    const { FRONTDESK_SECRET_KEYS: _, ...rest } = settings
    const checked = await command(folder, ["check"], { ...rest, FRONTDESK_SECRET_KEYS: next })
    expect(checked.stdout).toMatch(/^FAILS +google calendar of account 1 +unauthorized: .*connect the account again$/m)
    expect(await commandJson(folder, ["accounts", "show", "acme", "--json"])).toMatchObject({ id: 1 })
  })
})
