import { maxChangedNumbers } from "@frontdesk/core/contact/DoNotCallInput"
import { describe, expect, it } from "vitest"
import { acmeAndOther } from "../support/acme.ts"
import { command, commandJson } from "../support/command.ts"
import { provisionedFolder } from "../support/inProcess.ts"

describe("frontdesk do-not-call", () => {
  it("adds, lists and removes numbers of one account without changing the list of another", async () => {
    const folder = await provisionedFolder(acmeAndOther)
    const run = (...args: ReadonlyArray<string>) => commandJson(folder, ["do-not-call", ...args, "--json"])
    const numbers = ["+12025550991", "+12025550992", "+12025550993"]
    const all = { count: 3, page: 1, limit: 2, pages: 2, phone_numbers: numbers.slice(0, 2) }
    expect(await run("add", "--account", "other", ...numbers)).toMatchObject({ added: numbers })
    expect(await run("add", "--account", "other", "+12025550992")).toMatchObject({ added: [] })
    expect(await run("list", "--account", "other", "--limit", "2")).toEqual(all)
    expect(await run("list", "--account", "acme")).toMatchObject({ count: 0, phone_numbers: [] })
    expect(await run("remove", "--account", "acme", "+12025550991")).toMatchObject({ removed: [] })
    expect(await run("remove", "--account", "other", "+12025550991", "+12025550999")).toMatchObject({
      removed: ["+12025550991"]
    })
    const { stdout } = await command(folder, ["do-not-call", "list", "--account", "other"])
    expect(stdout).toBe("NUMBER\n+12025550992\n+12025550993\nPage 1 of 1; numbers in total: 2")
    const removed = await command(folder, ["do-not-call", "remove", "--account", "other", "+12025550992"])
    expect(removed.stdout).toMatch(/^1 number was removed from the list of account \d+ \(Other\)$/)
  })

  it("adds and removes more numbers than one request takes (D-DNC-9)", async () => {
    const folder = await provisionedFolder(acmeAndOther)
    const run = (name: string, ...args: ReadonlyArray<string>) =>
      commandJson(folder, ["do-not-call", name, "--account", "acme", "--json", ...args])
    const numbers = Array.from({ length: maxChangedNumbers + 1 }, (_, n) => `+1303${5_550_000 + n}`)
    expect(await run("add", ...numbers.toReversed())).toMatchObject({ added: numbers })
    expect(await run("list")).toMatchObject({ count: numbers.length })
    expect(await run("remove", ...numbers)).toMatchObject({ removed: numbers })
    expect(await run("list")).toMatchObject({ count: 0 })
  })

  it("add exits with 2 for a number that is not in E.164 form, and for no number", async () => {
    const folder = await provisionedFolder(acmeAndOther)
    for (const numbers of [[], ["2025550123"]]) {
      expect((await command(folder, ["do-not-call", "add", "--account", "acme", ...numbers])).code).toBe(2)
    }
  })
})
