import { describe, expect, it } from "vitest"
import { command, commandJson } from "../support/command.ts"
import { provisionedFolder } from "../support/inProcess.ts"

const account = ["--account", "acme"]

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && name in value ? Reflect.get(value, name) : undefined

describe("frontdesk members", () => {
  it("adds, lists, changes and removes the members of an account, which keeps an owner (D-MEM-4)", async () => {
    const folder = await provisionedFolder()
    const add = (email: string, role: string) =>
      commandJson(folder, ["members", "add", email, ...account, "--name", "Jo", "--role", role, "--json"])
    const owner = await add("jo@example.com", "owner")
    expect(owner).toMatchObject({ email: "jo@example.com", name: "Jo", role: "owner", last_sign_in_at: null })
    const viewer = await add("max@example.com", "viewer")
    const twice = await command(folder, [
      "members",
      "add",
      "JO@example.com",
      ...account,
      "--name",
      "Jo",
      "--role",
      "owner"
    ])
    expect([twice.code, twice.stderr]).toEqual([1, "frontdesk: The account has a member with this e-mail address"])
    const [ownerId, viewerId] = [String(field(owner, "id")), String(field(viewer, "id"))]
    const last = await command(folder, ["members", "remove", ownerId, ...account])
    expect(last.code).toBe(1)
    expect(last.stderr).toContain("is the only owner of the account")
    expect(
      await commandJson(folder, ["members", "change", viewerId, ...account, "--role", "owner", "--json"])
    ).toMatchObject({ role: "owner", name: "Jo" })
    expect((await command(folder, ["members", "remove", ownerId, ...account])).stdout).toContain("is removed")
    const listed = await command(folder, ["members", "list", ...account])
    expect(listed.stdout).toContain("max@example.com")
    expect(listed.stdout).not.toContain("jo@example.com")
    const absent = await command(folder, ["members", "remove", "999", ...account])
    expect([absent.code, absent.stderr]).toEqual([1, "frontdesk: The account has no member with the id 999"])
    const log = (await command(folder, ["audit", "list", ...account, "--record", "member"])).stdout
    expect(log).toMatch(/ command_line +members\.delete +member \d+ /)
    expect(log.match(/ command_line +members\./g)).toHaveLength(4)
    expect(log).not.toContain("example.com")
  })
})

describe("frontdesk dashboard link", () => {
  it("prints a link below the public URL or that of this machine, and needs a member or a role", async () => {
    const folder = await provisionedFolder()
    const env = { FRONTDESK_PUBLIC_URL: "https://api.example.com/voice" }
    const guest = await command(folder, ["dashboard", "link", ...account, "--role", "viewer", "--name", "Vera"], env)
    expect(guest.stdout).toMatch(/^ {2}https:\/\/api\.example\.com\/voice\/dashboard\/sign-in\/[\w-]{43}$/m)
    const owner = await commandJson(folder, ["dashboard", "link", ...account, "--role", "owner", "--json"])
    expect(field(owner, "url")).toMatch(/^http:\/\/127\.0\.0\.1:8787\/dashboard\/sign-in\/[\w-]{43}$/)
    const unknownPort = await command(folder, ["dashboard", "link", ...account, "--role", "owner"], {
      FRONTDESK_PORT: "0"
    })
    expect([unknownPort.code, unknownPort.stderr]).toEqual([2, expect.stringContaining("FRONTDESK_PUBLIC_URL")])
    const neither = await command(folder, ["dashboard", "link", ...account])
    expect(neither.code).toBe(2)
    const operator = await command(folder, ["dashboard", "link", ...account, "--operator"])
    expect(operator.stdout).toContain("as operator:")
    const both = await command(folder, ["dashboard", "link", ...account, "--operator", "--role", "viewer"])
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("--operator is neither for a member")])
    const long = await command(folder, ["dashboard", "link", ...account, "--role", "viewer", "--minutes", "10081"])
    expect(long.code).toBe(2)
    const log = (await command(folder, ["audit", "list", ...account, "--record", "sign_in_link"])).stdout
    expect(log.match(/ command_line +signInLinks\.create +sign_in_link \d+ /g)).toHaveLength(3)
  })
})
