import { permissions } from "@frontdesk/core/access/Permission"
import { Tools } from "@frontdesk/agent-tools"
import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"
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
