import { describe, expect, it } from "vitest"
import { acme } from "../acme.ts"
import { run, runJson, temporaryFolder } from "../frontdesk.ts"

describe("frontdesk", () => {
  it.each([["serve"], ["migrate"], ["provision"], ["keys"], ["keys rotate"], ["accounts deposit"]])(
    "%s --help explains the command",
    async (command) => {
      const { code, stderr, stdout } = await run(temporaryFolder(), [...command.split(" "), "--help"])
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      expect(stdout).toContain(`frontdesk ${command}`)
    }
  )

  it("shows its commands when none is given", async () => {
    const { code, stdout } = await run(temporaryFolder(), [])
    expect(code).toBe(0)
    for (const command of ["serve", "migrate", "provision", "keys", "accounts"]) expect(stdout).toContain(command)
  })

  it("ends with 2 for a command it does not know, and says where to read more", async () => {
    const { code, stderr, stdout } = await run(temporaryFolder(), ["server"])
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toContain('"frontdesk --help" says more')
  })

  it("migrates a new database, and has nothing to do the second time, nor when four do so at once", async () => {
    const folder = temporaryFolder()
    const all = await Promise.all(Array.from({ length: 4 }, () => run(folder, ["migrate"])))
    expect(all.map(({ code, stderr }) => ({ code, stderr }))).toEqual(Array(4).fill({ code: 0, stderr: "" }))
    expect(all.filter(({ stdout }) => stdout.startsWith("Applied"))).toHaveLength(1)
    expect(await runJson(folder, ["migrate", "--json"])).toEqual({ applied: [] })
  })

  it("lists accounts, shows one and adds to its balance", async () => {
    const folder = temporaryFolder()
    await runJson(folder, ["provision", "-"], { stdin: JSON.stringify(acme) })
    expect((await run(folder, ["accounts", "deposit", "acme", "0.5"])).stdout).toContain("100.5")
    expect(await runJson(folder, ["accounts", "deposit", "1", "2", "--json"])).toEqual({ id: 1, balance: 102.5 })
    expect((await run(folder, ["accounts", "list"])).stdout).toMatch(/^1 +Acme +standard +America\/New_York +102\.5$/m)
    expect((await run(folder, ["accounts", "show", "acme"])).stdout).toMatch(/^price per minute +0\.1$/m)
  })

  it.each([
    [1, "There is no database at", {}],
    [2, "PostgreSQL storage is not part of this version", { FRONTDESK_DATABASE_URL: "postgres://localhost/x" }],
    [2, "sqlite::memory: is gone when the server ends", { FRONTDESK_DATABASE_URL: "sqlite::memory:" }],
    [1, "cannot be opened", { FRONTDESK_DATABASE_URL: "sqlite:." }]
  ])("accounts list ends with %i: %s", async (code, message, settings) => {
    const end = await run(temporaryFolder(), ["accounts", "list"], { settings })
    expect(end).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(message) })
    expect(end.stderr).not.toContain("    at ")
  })
})
