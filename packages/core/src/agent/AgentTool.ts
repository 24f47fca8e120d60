import * as Schema from "effect/Schema"

/** The names of the tools that an agent can use during a call. The package `@frontdesk/agent-tools` defines the tools. */
export const AgentTool = Schema.Literals([
  "get_context",
  "find_slots",
  "hold_slot",
  "book",
  "my_appointments",
  "move",
  "cancel",
  "get_contact",
  "update_contact",
  "set_variables",
  "opt_out",
  "request_callback"
]).annotate({ identifier: "AgentTool" })

/** The name of a tool that an agent can use during a call. */
export type AgentTool = typeof AgentTool.Type

/** The tools that an agent may use, each at most once. In place of a list, null allows every tool (D-AGENT-9). */
export const AllowedTools = Schema.Array(AgentTool).check(Schema.isUnique({ expected: "each tool at most once" }))

/** Returns whether an agent with these tools may use a tool. Null allows every tool. */
export const isAllowed = (allowed: AllowedTools | null, tool: AgentTool): boolean =>
  allowed === null || allowed.includes(tool)

/** Returns tools in the order in which they are listed, so that equal choices are equal values. */
export const ordered = (tools: AllowedTools): AllowedTools => AgentTool.literals.filter((tool) => tools.includes(tool))

/** The tools that an agent may use. */
export type AllowedTools = typeof AllowedTools.Type
