import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { acme } from "../acme.ts"
import { command, commandJson } from "../command.ts"
import { run, temporaryFolder } from "../frontdesk.ts"
import { containing } from "../matching.ts"

describe("frontdesk", () => {
  it.each([
    ["serve"],
    ["migrate"],
    ["provision"],
    ["keys"],
    ["keys rotate"],
    ["accounts deposit"],
    ["webhooks redeliver-failed"]
  ])("%s --help explains the command", async (name) => {
    const { code, stderr, stdout } = await command(temporaryFolder(), [...name.split(" "), "--help"])
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).toContain(`frontdesk ${name}`)
  })

  it("shows its commands when none is given", async () => {
    const { code, stdout } = await run(temporaryFolder(), [])
    expect(code).toBe(0)
    for (const name of ["serve", "migrate", "provision", "keys", "accounts", "webhooks"]) expect(stdout).toContain(name)
  })

  it("ends with 2 for a command it does not know, and says where to read more", async () => {
    const { code, stderr, stdout } = await run(temporaryFolder(), ["server"])
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toContain('"frontdesk --help" says more')
  })

  it("migrates a new database once, also when several processes do so at the same time", async () => {
    const folder = temporaryFolder()
    const both = await Promise.all([run(folder, ["migrate"]), run(folder, ["migrate"])])
    expect(both).toMatchObject([
      { code: 0, stderr: "" },
      { code: 0, stderr: "" }
    ])
    expect(both.filter(({ stdout }) => stdout.startsWith("Applied"))).toHaveLength(1)
    expect(await commandJson(folder, ["migrate", "--json"])).toEqual({ applied: [] })
  })

  it("lists accounts, shows one and adds to its balance", async () => {
    const folder = temporaryFolder()
    const file = join(folder, "acme.json")
    writeFileSync(file, JSON.stringify(acme))
    await command(folder, ["provision", file])
    expect((await command(folder, ["accounts", "deposit", "acme", "0.5"])).stdout).toContain("100.5")
    expect(await commandJson(folder, ["accounts", "deposit", "1", "2", "--json"])).toEqual({ id: 1, balance: 102.5 })
    const listed = await command(folder, ["accounts", "list"])
    expect(listed.stdout).toMatch(/^1 +Acme +standard +America\/New_York +102\.5$/m)
    expect((await command(folder, ["accounts", "show", "acme"])).stdout).toMatch(/^price per minute +0\.1$/m)
  })

  it.each([
    [1, "There is no database at", {}],
    [2, "PostgreSQL storage is not part of this version", { FRONTDESK_DATABASE_URL: "postgres://localhost/x" }],
    [2, "sqlite::memory: is gone when the server ends", { FRONTDESK_DATABASE_URL: "sqlite::memory:" }],
    [1, "cannot be opened", { FRONTDESK_DATABASE_URL: "sqlite:." }]
  ])("accounts list ends with %i: %s", async (code, message, settings) => {
    const end = await command(temporaryFolder(), ["accounts", "list"], settings)
    expect(end).toEqual({ code, stdout: "", stderr: containing(message) })
    expect(end.stderr).not.toContain("    at ")
  })
})
