import { Tools } from "@frontdesk/agent-tools"
import { describe, expect, it } from "vitest"
import { command, commandJson } from "../support/command.ts"
import { containing } from "../support/matching.ts"

/** A folder that does not exist, so a command that opens its database fails. */
const none = "/dev/null"

const { argumentsSchema, description } = Tools.byName.book

describe("frontdesk tools", () => {
  it("prints name, description and JSON Schema of all tools by default", async () => {
    const printed = await commandJson(none, ["tools"])
    expect(printed).toMatchObject(Tools.toolNames.map((name) => ({ name })))
    expect(printed).toContainEqual({ name: "book", description, parameters: argumentsSchema })
    expect(await commandJson(none, ["tools", "--format", "json"])).toEqual(printed)
  })

  it("prints the named tools as Vapi takes them, in the order of all tools", async () => {
    const named = ["--tool", "book", "--tool", "find_slots", "--tool", "book"]
    expect(await commandJson(none, ["tools", "--format", "vapi", ...named])).toMatchObject([
      { type: "function", function: { name: "find_slots" } },
      { type: "function", function: { name: "book", description, parameters: argumentsSchema } }
    ])
  })

  it("prints the tools as Retell takes them, with the address of the calls", async () => {
    const url = "https://voice.example.com/tools"
    expect(await commandJson(none, ["tools", "--format", "retell", "--url", url, "--tool", "book"])).toEqual([
      {
        type: "custom",
        name: "book",
        description,
        url,
        parameters: argumentsSchema,
        speak_during_execution: false,
        speak_after_execution: true
      }
    ])
  })

  it("needs no setting, and reads none", async () => {
    const { code } = await command(none, ["tools"], { FRONTDESK_DATABASE_URL: "nonsense", FRONTDESK_PORT: "x" })
    expect(code).toBe(0)
  })

  it.each([
    [["--format", "retell"], "--format retell needs --url"],
    [["--url", "https://a.example"], "--url is only for --format retell"],
    [["--format", "vapi", "--url", "https://a.example"], "--url is only for --format retell"],
    [["--format", "retell", "--url", "a.example"], "begins with https://"],
    [["--format", "retell", "--url", "ftp://a.example"], "begins with https://"],
    [["--format", "openai"], "retell"],
    [["--tool", "bok"], "find_slots"]
  ])("%j is a usage error that names the fix", async (args, fix) => {
    expect(await command(none, ["tools", ...args])).toEqual({ code: 2, stdout: "", stderr: containing(fix) })
  })
})
