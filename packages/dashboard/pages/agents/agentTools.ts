import type { Agent } from "@frontdesk/client"
import { words } from "../ui/formats.ts"

/** A tool that an agent can use during a call. */
export type AgentTool = NonNullable<Agent["allowed_tools"]>[number]

/** The tools in words, in the order in which they are listed. */
const titles: { readonly [Tool in AgentTool]: string } = {
  get_context: "Read the date, and what the agent may know of the person",
  find_slots: "Find free times",
  hold_slot: "Hold a free time",
  book: "Book an appointment",
  my_appointments: "List the person's appointments",
  move: "Move an appointment",
  cancel: "Cancel an appointment",
  get_contact: "Read the person's contact",
  update_contact: "Change the person's contact",
  set_variables: "Store variables",
  opt_out: "Stop all calls to the person",
  request_callback: "Plan a call back"
}

const isTool = (name: string): name is AgentTool => Object.hasOwn(titles, name)

/** Returns the title of a tool, also of one that only a newer version of Frontdesk knows. */
export const titleOf = (name: string): string => (isTool(name) ? titles[name] : words(name))

/** Every tool, with its title. */
export const tools: ReadonlyArray<readonly [tool: AgentTool, title: string]> = Object.entries(titles).flatMap(
  ([name, title]) => (isTool(name) ? [[name, title] as const] : [])
)
