import { describe, expect, it } from "vitest"
import { acme, acmeKey, ask } from "../acme.ts"
import { run, runJson, serve, temporaryFolder } from "../frontdesk.ts"

const madeKey = {
  accounts: [{ ref: "b", name: "B", api_keys: [{ ref: "made", permissions: ["can_read_agents"] }] }]
}

describe("frontdesk provision", () => {
  it("prints the ids by ref, also of a document on standard input, and the same ids when it is run again", async () => {
    const folder = temporaryFolder()
    const first = await runJson(folder, ["provision", "-"], { stdin: JSON.stringify(acme) })
    expect(first).toEqual({
      accounts: { acme: 1 },
      teams: { sales: 1 },
      api_keys: { "acme-full": { id: 1, key: acmeKey } },
      agents: { ada: 1 },
      contacts: { jo: { id: 1, phone_numbers: [1] } }
    })
    expect(await runJson(folder, ["provision", "-"], { stdin: JSON.stringify(acme) })).toEqual(first)
    expect(await runJson(folder, ["accounts", "show", "acme", "--json"])).toMatchObject({ balance: 100 })
  })

  it("prints the value of a key that it makes, once, and the key works", async () => {
    const folder = temporaryFolder()
    const server = await serve(folder)
    const first = await runJson(folder, ["provision", "-"], { stdin: JSON.stringify(madeKey) })
    expect(first).toMatchObject({ api_keys: { made: { id: 1, key: expect.stringMatching(/^fd_live_[\w-]{43}$/) } } })
    const again = await runJson(folder, ["provision", "-"], { stdin: JSON.stringify(madeKey) })
    expect(again).toMatchObject({ api_keys: { made: { id: 1 } } })
    expect(JSON.stringify(again)).not.toContain("fd_live_")
    const value = /fd_live_[\w-]{43}/.exec(JSON.stringify(first))?.[0]
    expect((await ask(server.url, "/api/v1/agents", undefined, value)).status).toBe(200)
  })

  it("says every place where a document is wrong, ends with 2 and changes nothing", async () => {
    const folder = temporaryFolder()
    await run(folder, ["migrate"])
    const wrong = {
      accounts: [
        { ...acme.accounts[0], agents: [{ ref: "ada", name: "Ada", assistant_id: "a", phone_number: "12" }] },
        { ref: "b", name: "B", time_zone: "Mars/Base", working_hours: { mon: [["17:00", "09:00"]] } }
      ]
    }
    const { code, stderr, stdout } = await run(folder, ["provision", "-"], { stdin: JSON.stringify(wrong) })
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toContain("accounts[0].agents[0].phone_number: ")
    expect(stderr).toContain("accounts[1].time_zone: ")
    expect(stderr).toContain("accounts[1].working_hours.mon[0]: ")
    expect(stderr).toContain("nothing was changed")
    expect(await runJson(folder, ["accounts", "list", "--json"])).toEqual({ accounts: [] })
  })

  it("applies nothing of a document that only its end shows to be wrong", async () => {
    const folder = temporaryFolder()
    await run(folder, ["migrate"])
    const wrong = { accounts: [...acme.accounts, { ref: "b", name: "B", teams: ["nobody"] }], teams: acme.teams }
    const { code, stderr } = await run(folder, ["provision", "-"], { stdin: JSON.stringify(wrong) })
    expect(code).toBe(2)
    expect(stderr).toContain("accounts[1].teams[0]: No team of the document has this ref")
    expect(await runJson(folder, ["accounts", "list", "--json"])).toEqual({ accounts: [] })
  })

  it.each([
    ["a file that is not there", ["provision", "nothing.json"], "", "nothing.json cannot be read"],
    ["text that is no JSON", ["provision", "-"], '{"accounts": [}', "is not JSON"],
    ["JSON that is no object", ["provision", "-"], "[]", "is wrong"]
  ])("ends with 2 and no stack trace for %s", async (_, args, stdin, message) => {
    const { code, stderr } = await run(temporaryFolder(), args, { stdin })
    expect(code).toBe(2)
    expect(stderr).toContain(message)
    expect(stderr).not.toContain("    at ")
  })

  it("names fields that it does not know, and passes over them", async () => {
    const stdin = JSON.stringify({ accounts: [{ ref: "a", name: "A", balanse: 5 }] })
    const { code, stderr } = await run(temporaryFolder(), ["provision", "-"], { stdin })
    expect(code).toBe(0)
    expect(stderr).toContain("accounts[0].balanse")
  })
})
