import { readFileSync } from "node:fs"
import { permissions } from "@frontdesk/core/access/Permission"
import { Tools } from "@frontdesk/agent-tools"
import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { fieldsOf } from "../json.ts"

const tools = Tools.toolNames.map((name) => Tools.byName[name])

const required = (name: Tools.ToolName) => Tools.byName[name].argumentsSchema["required"] ?? []
const properties = (name: Tools.ToolName) => fieldsOf(Tools.byName[name].argumentsSchema["properties"])

describe("the arguments in JSON Schema", () => {
  it.each<[Tools.ToolName, ReadonlyArray<string>, ReadonlyArray<string>]>([
    ["get_context", [], []],
    ["find_slots", ["from_date", "to_date", "duration_minutes"], ["part_of_day"]],
    ["hold_slot", ["slot_id"], []],
    ["book", ["slot_id"], ["title", "notes", "customer_name", "customer_email", "customer_phone"]],
    ["my_appointments", [], []],
    ["move", ["event_id", "slot_id"], []],
    ["cancel", ["event_id"], ["reason"]],
    ["get_contact", [], []],
    ["set_variables", ["variables"], []],
    ["opt_out", [], []]
  ])("%s has the names that programs use", (name, needed, optional) => {
    expect(required(name)).toEqual(needed)
    expect(Object.keys(properties(name))).toEqual([...needed, ...optional])
  })

  it.each(tools)("$name has a schema of draft 2020-12 in strict mode", ({ argumentsSchema }) => {
    const ajv = new Ajv2020({ strict: true })
    formats.default(ajv)
    expect(() => ajv.compile(argumentsSchema)).not.toThrow()
    expect(argumentsSchema["type"]).toBe("object")
    expect(JSON.stringify(argumentsSchema)).not.toMatch(/"(?:\$ref|allOf|pattern|not)":/)
  })

  it.each(tools)("$name describes every argument in its own words, and takes no id of a contact", (tool) => {
    for (const [name, schema] of Object.entries(properties(tool.name))) {
      expect(fieldsOf(schema)["description"]).toMatch(/^[A-Z]/)
      expect(name).not.toMatch(/contact/)
    }
  })
})

const phone = "Expected a phone number in E.164 form, for example +12025550123"
const email = "Expected an e-mail address, for example jo@example.com"
const date = "Expected an existing date written YYYY-MM-DD"

/** What an error says about an argument of the wrong type. Those that are absent take any text. */
const rules: Readonly<Record<string, string>> = {
  customer_email: email,
  customer_phone: phone,
  date,
  duration_minutes: "Expected a whole number",
  email,
  event_id: "Expected the id of an event that my_appointments or get_context returned, copied exactly",
  from_date: date,
  part_of_day: 'Expected one of "morning", "afternoon", "evening"',
  slot_id: "Expected a slot_id that find_slots returned, copied exactly",
  to_date: date,
  variables: "Expected an object"
}

describe("an error about an argument states its rule", () => {
  const messages = ({ decode }: (typeof tools)[number], field: string, given: unknown) =>
    Result.match(decode({ [field]: given }), {
      onFailure: (problems) => problems.filter((problem) => problem.field === field).map(({ message }) => message),
      onSuccess: () => []
    })

  const fields = tools.flatMap((tool) =>
    Object.keys(properties(tool.name)).map((field) => ({ tool, field, name: tool.name }))
  )

  it.each(fields)("$name $field of the wrong type", ({ field, tool }) => {
    expect(messages(tool, field, true)).toEqual([rules[field] ?? "Expected a string"])
  })

  it.each(fields)("$name $field of any wrong value, and never its description for the model", ({ field, tool }) => {
    const { description } = fieldsOf(properties(tool.name)[field])
    const wrong = [7.5, -1, "", "x y", "\0", "x".repeat(3000), {}, []]
    const all = wrong.flatMap((value) => messages(tool, field, value))
    expect(all.length).toBeGreaterThanOrEqual(4)
    for (const message of all) {
      expect(message).toMatch(/^Expected (?:an? |one of |the |at least |text )/)
      expect(message).not.toContain(description)
    }
  })

  it.each<[Tools.ToolName, string, unknown, string]>([
    ["find_slots", "duration_minutes", 300, "Expected a value between 1 and 180"],
    ["book", "title", "x".repeat(201), "Expected a value with a length between 0 and 200"],
    ["book", "customer_phone", "2025550123", phone],
    ["cancel", "event_id", 7.5, rules["event_id"] ?? ""],
    ["set_variables", "variables", {}, "Expected at least one variable"]
  ])("%s %s %j", (name, field, given, message) => {
    const tool = tools.find((each) => each.name === name)
    expect(tool === undefined ? [] : messages(tool, field, given)).toEqual([message])
  })
})

describe("the description of a tool", () => {
  it.each(tools)("$name has at most 60 words and ends as a sentence", ({ description }) => {
    expect(description.split(" ").length).toBeLessThanOrEqual(60)
    expect(description).toMatch(/\.$/)
  })

  it("a tool needs the permission of the operation that it carries out", () => {
    expect(Tools.byName.book.permission).toBe(permissions["events.create"])
    expect(Tools.byName.update_contact.permission).toBe(permissions["contacts.patch"])
    expect(Tools.byName.find_slots.permission).toBe(permissions["availability.find"])
  })
})

it.each(["../../README.md", "../../../../docs/agent-tools.md"])("%s names the permission of each tool", (file) => {
  const rows = readFileSync(new URL(file, import.meta.url), "utf8").matchAll(
    /^\| ((?:`[a-z_]+`(?:, )?)+) +\|.*\| `(can_[a-z_]+)` +\|/gm
  )
  const named = [...rows].flatMap(([, names = "", permission]) =>
    [...names.matchAll(/`([a-z_]+)`/g)].map(([, name]) => [name, permission])
  )
  expect(named).toEqual(Tools.toolNames.map((name) => [name, Tools.byName[name].permission]))
})
