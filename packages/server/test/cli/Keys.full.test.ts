import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { ask } from "../support/acme.ts"
import { command, commandJson } from "../support/command.ts"
import { run } from "../support/asProcess.ts"
import { provisionedFolder, serve } from "../support/inProcess.ts"
import { anyText, containing, matching } from "../support/matching.ts"

const issued = Schema.decodeUnknownSync(Schema.Struct({ id: Schema.Int, key: Schema.String }))

describe("frontdesk keys and frontdesk accounts", () => {
  it("keys creates, lists, rotates and revokes keys while the server runs, and prints each value only once", async () => {
    const folder = await provisionedFolder()
    const server = await serve(folder)
    const statusOf = async (key: string, path = "/api/v1/agents") =>
      (await ask(server.url, path, undefined, key)).status
    const keys = (...args: ReadonlyArray<string>) =>
      commandJson(folder, ["keys", ...args, "--account", "acme", "--json"])

    const made = issued(await keys("create", "--name", "Website", "--permissions", "can_read_agents"))
    expect(made.key).toMatch(/^fd_live_[\w-]{43}$/)
    expect(await statusOf(made.key)).toBe(200)
    expect(await statusOf(made.key, "/api/v1/calls")).toBe(403)

    const listed = await keys("list")
    expect(listed).toMatchObject({
      api_keys: [
        { name: "Everything" },
        { id: made.id, prefix: made.key.slice(0, 12), permissions: ["can_read_agents"] }
      ]
    })
    expect(JSON.stringify(listed)).not.toContain(made.key)

    const rotated = issued(await keys("rotate", String(made.id)))
    expect(rotated.key).not.toBe(made.key)
    expect([await statusOf(made.key), await statusOf(rotated.key)]).toEqual([200, 200])

    const again = ["rotate", String(made.id), "--grace", "1 ms"]
    const refused = await command(folder, ["keys", ...again, "--account", "acme"])
    expect(refused).toEqual({
      code: 1,
      stdout: "",
      stderr: matching(/^frontdesk: The key \d+ was rotated, and its previous value works until .*rotate with --force$/)
    })
    expect([await statusOf(made.key), await statusOf(rotated.key)]).toEqual([200, 200])
    const withoutGrace = issued(await keys(...again, "--force"))
    expect(await statusOf(made.key)).toBe(401)
    expect([await statusOf(rotated.key), await statusOf(withoutGrace.key)]).toEqual([401, 200])

    expect(await keys("revoke", String(made.id))).toMatchObject({ revoked_at: anyText })
    expect(await statusOf(withoutGrace.key)).toBe(401)
  })

  it("keys rotate succeeds in only one of two processes that rotate a key at the same time", async () => {
    const folder = await provisionedFolder()
    const rotate = ["keys", "rotate", "1", "-a", "acme"]
    const ends = await Promise.all([run(folder, rotate), run(folder, rotate)])
    expect(new Set(ends.map(({ code }) => code))).toEqual(new Set([0, 1]))
    expect(ends.map(({ stderr }) => stderr).join("")).toContain(
      "The key 1 was rotated, and its previous value works until"
    )
  })

  it("keys create stops at FRONTDESK_MAX_API_KEYS, and revoked keys count too", async () => {
    const folder = await provisionedFolder()
    const limited = { FRONTDESK_MAX_API_KEYS: "2" }
    const create = ["keys", "create", "-a", "acme", "-n", "X", "-p", "*"]
    expect(await command(folder, create, limited)).toMatchObject({ code: 0 })
    await commandJson(folder, ["keys", "revoke", "2", "-a", "acme", "--json"])
    expect(await command(folder, create, limited)).toEqual({
      code: 1,
      stdout: "",
      stderr: containing(
        "The account has reached its limit of 2 API keys. Revoked and expired keys count too. Raise the limit with FRONTDESK_MAX_API_KEYS"
      )
    })
    const wrong = await command(folder, create, { FRONTDESK_MAX_API_KEYS: "many" })
    expect(wrong).toMatchObject({ code: 2, stderr: containing("FRONTDESK_MAX_API_KEYS: Expected a whole number") })
    expect(await command(folder, create)).toMatchObject({ code: 0 })
  })

  it("without --json keys create prints the value alone on a line, keys list a table, and keys rotate why a key has expired", async () => {
    const folder = await provisionedFolder()
    const create = ["keys", "create", "-a", "1", "-n", "X", "-p", "*", "--test", "--expires-at", "2099-01-01T00:00:00Z"]
    const made = await run(folder, create)
    expect(made).toMatchObject({ code: 0, stderr: "", stdout: matching(/^ {2}fd_test_[\w-]{43}$/m) })
    const database = new DatabaseSync(join(folder, "data/frontdesk.db"))
    database.exec(`UPDATE api_key SET expires_at = ${Date.UTC(2020, 0, 1)} WHERE id = 2`)
    database.close()
    const listed = await command(folder, ["keys", "list", "-a", "1"])
    expect(listed.stdout).toMatch(/^ID +NAME +BEGINS WITH +STATE/)
    const rotated = await command(folder, ["keys", "rotate", "2", "-a", "1"])
    expect(rotated).toEqual({
      code: 1,
      stdout: "",
      stderr: containing("The key 2 expired at 2020-01-01T00:00:00.000Z, so a new value would not work either")
    })
    expect(listed.stdout).toMatch(/^2 +X +fd_test_.{4} +expired +never +\*$/m)
  })

  it.each([
    [1, 'There is no account "unknown"', ["keys", "list", "-a", "unknown"]],
    [1, "There is no account with the id 7", ["accounts", "show", "7"]],
    [1, "The account has no key with the id 7", ["keys", "revoke", "7", "-a", "acme"]],
    [2, "Invalid value for flag --permissions", ["keys", "create", "-a", "acme", "-n", "X", "-p", "can_fly"]],
    [2, "Missing required flag: --account", ["keys", "list"]],
    [2, "an amount above zero", ["accounts", "deposit", "acme", "0"]],
    [2, 'argument <amount>: "-5". Expected: an amount above zero', ["accounts", "deposit", "acme", "-5"]],
    [2, 'argument <amount>: "-5". Expected: an amount above zero', ["accounts", "deposit", "acme", "-5", "--json"]],
    [2, 'argument <amount>: "-5 h". Expected: an amount', ["accounts", "deposit", "acme", "-5 h"]],
    [1, "-1 h", ["accounts", "show", "-1 h"]]
  ])("exits with %i and the message: %s", async (code, message, args) => {
    const end = await command(await provisionedFolder(), args)
    expect(end).toEqual({ code, stdout: "", stderr: containing(message) })
    expect(end.stderr).not.toContain("    at ")
  })

  it.each([
    [["create", "--name", "a", "--permissions", "*", "--expires-at", "2020-01-01T00:00:00Z"], "a time in the future"],
    [["create", "--name", "", "--permissions", "*"], "name"],
    [["create", "--name", " ", "--permissions", "*"], "name"],
    [["rotate", "1", "--grace", "-1 hours"], "grace"]
  ])("keys rejects %j with exit code 2 and prints no key", async (args, reason) => {
    const folder = await provisionedFolder()
    const { code, stderr, stdout } = await command(folder, ["keys", ...args, "--account", "acme"])
    expect([code, stdout]).toEqual([2, ""])
    expect(stderr).toContain(reason)
  })
})
