import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { acme, acmeKey, ask } from "../support/acme.ts"
import { command, commandJson } from "../support/command.ts"
import { run } from "../support/asProcess.ts"
import { serve } from "../support/inProcess.ts"
import { temporaryFolder } from "../support/temporaryFolder.ts"
import { containing, matching } from "../support/matching.ts"

/** Writes a document to a file in the folder, and returns the path of the file. */
const written = (folder: string, document: unknown): string => {
  const file = join(folder, "document.json")
  writeFileSync(file, typeof document === "string" ? document : JSON.stringify(document))
  return file
}

const ofAcme = {
  accounts: { acme: 1 },
  teams: { sales: 1 },
  api_keys: { "acme-full": { id: 1, key: acmeKey } },
  agents: { ada: 1 },
  contacts: { jo: { id: 1, phone_numbers: [1] } }
}

describe("frontdesk provision", () => {
  it("prints one JSON object with the ids by ref, and the same ids when the document is applied again", async () => {
    const folder = temporaryFolder()
    const file = written(folder, acme)
    expect(await commandJson(folder, ["provision", file])).toEqual(ofAcme)
    expect(await commandJson(folder, ["provision", file])).toEqual(ofAcme)
    expect(await commandJson(folder, ["accounts", "list", "--json"])).toMatchObject({ accounts: [{ balance: 100 }] })
  })

  it("reads standard input, and works while a server has the same database open", async () => {
    const folder = temporaryFolder()
    const server = await serve(folder)
    const { code, stderr, stdout } = await run(folder, ["provision", "-"], { stdin: JSON.stringify(acme) })
    const created: unknown = JSON.parse(stdout)
    expect({ code, stderr, created }).toEqual({ code: 0, stderr: "", created: ofAcme })
    expect((await ask(server.url, "/api/v1/agents")).status).toBe(200)
  })

  it("prints the value of a new key only in the run that creates it", async () => {
    const folder = temporaryFolder()
    const file = written(folder, {
      accounts: [{ ref: "b", name: "B", api_keys: [{ ref: "made", permissions: ["can_read_agents"] }] }]
    })
    const first = await commandJson(folder, ["provision", file])
    expect(first).toMatchObject({ api_keys: { made: { id: 1, key: matching(/^fd_live_[\w-]{43}$/) } } })
    expect(await commandJson(folder, ["provision", file])).toMatchObject({ api_keys: { made: { id: 1 } } })
    expect((await command(folder, ["provision", file])).stdout).not.toContain("fd_live_")
  })

  it("reports every invalid field of a document, exits with 2 and changes nothing", async () => {
    const folder = temporaryFolder()
    await command(folder, ["migrate"])
    const file = written(folder, {
      accounts: [
        { ...acme.accounts[0], agents: [{ ref: "ada", name: "Ada", assistant_id: "a", phone_number: "12" }] },
        { ref: "b", name: "B", time_zone: "Mars/Base", working_hours: { mon: [["17:00", "09:00"]] } }
      ]
    })
    const { code, stderr, stdout } = await command(folder, ["provision", file])
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toContain("nothing was changed")
    expect(stderr).toContain("accounts[0].agents[0].phone_number: ")
    expect(stderr).toContain("accounts[1].time_zone: ")
    expect(stderr).toContain("accounts[1].working_hours.mon[0]: ")
    expect(await commandJson(folder, ["accounts", "list", "--json"])).toEqual({ accounts: [] })
  })

  it("applies nothing when a document refers to a team that it does not contain", async () => {
    const folder = temporaryFolder()
    await command(folder, ["migrate"])
    const file = written(folder, { ...acme, accounts: [...acme.accounts, { ref: "b", name: "B", teams: ["unknown"] }] })
    const { code, stderr } = await command(folder, ["provision", file])
    expect(code).toBe(2)
    expect(stderr).toContain("accounts[1].teams[0]: No team of the document has this ref")
    expect(await commandJson(folder, ["accounts", "list", "--json"])).toEqual({ accounts: [] })
  })

  it.each([
    ["text that is not JSON", '{"accounts": [}', "is not JSON"],
    ["JSON that is not an object", "[]", "is invalid"]
  ])("exits with 2 and prints no stack trace for %s", async (_, document, message) => {
    const folder = temporaryFolder()
    const { code, stderr } = await command(folder, ["provision", written(folder, document)])
    expect({ code, stderr }).toEqual({ code: 2, stderr: containing(message) })
    expect(stderr).not.toContain("    at ")
  })

  it("prints no part of a file that is not JSON, because the file may contain a key", async () => {
    const folder = temporaryFolder()
    const file = join(folder, "key.txt")
    writeFileSync(file, "fd_live_abcdefghijklmnopqrstuvwxyz0123456789")
    const { code, stderr } = await command(folder, ["provision", file])
    expect({ code, stderr }).toEqual({ code: 2, stderr: containing("is not JSON; nothing was changed") })
    expect(stderr).not.toContain("fd_live_ab")
  })

  it("names the field of a key whose expiry is in the past", async () => {
    const folder = temporaryFolder()
    const keys = [{ ref: "old", permissions: ["*"], expires_at: "2020-01-01T00:00:00Z" }]
    const file = written(folder, { accounts: [{ ref: "a", name: "A", api_keys: keys }] })
    const { code, stderr } = await command(folder, ["provision", file])
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: containing("accounts[0].api_keys[0].expires_at: Expected a time")
    })
  })

  it("exits with 2 for a file that does not exist", async () => {
    const { code, stderr } = await command(temporaryFolder(), ["provision", "nothing.json"])
    expect({ code, stderr }).toEqual({ code: 2, stderr: containing("nothing.json cannot be read") })
  })

  it("prints the names of unknown fields, with a similar known name, and ignores them", async () => {
    const folder = temporaryFolder()
    const file = written(folder, { accounts: [{ ref: "a", name: "A", balanse: 5, colour: "red" }] })
    const { code, stderr } = await command(folder, ["provision", file])
    const lines = [
      "accounts[0].balanse: This field is not known. Did you mean balance?",
      "accounts[0].colour: This field is"
    ]
    for (const line of lines) expect({ code, stderr }).toEqual({ code: 0, stderr: containing(line) })
  })
})
