import type { AgentTool } from "@frontdesk/core/agent/AgentTool"
import { define, type Tool } from "./Tool.ts"
import * as Descriptions from "./ArgumentDescriptions.ts"
import * as Arguments from "./ToolArguments.ts"

const sayIt = "Say the text of `say` to the caller."

/** The tools of a voice agent, by name. The order is the order in which they are listed. */
export const all = {
  get_context: define(
    {
      name: "get_context",
      title: "Read the context of the call",
      description:
        "Returns the present date and time, the next 14 days with their weekdays, and what is known of the caller: contact, next appointments and variables. Call it once at the start, and before you turn words such as tomorrow or next Tuesday into a date. Take dates from `days` and never compute them.",
      operation: "availability.find",
      needsCall: false,
      effect: "reads"
    },
    Arguments.None,
    Descriptions.none
  ),
  find_slots: define(
    {
      name: "find_slots",
      title: "Find free times",
      description:
        "Finds at most 5 free times for an appointment between two dates. Call it when the caller wants an appointment or another time. Offer the times in the words of `say`, and never offer a time that it did not return. Each time has a `slot_id` for hold_slot, book and move; never say a slot_id.",
      operation: "availability.find",
      needsCall: false,
      effect: "reads"
    },
    Arguments.FindSlots,
    Descriptions.findSlots
  ),
  hold_slot: define(
    {
      name: "hold_slot",
      title: "Hold a free time",
      description: `Keeps a free time for a few minutes while the caller decides or looks something up. The time is not booked yet: call book for that. ${sayIt}`,
      operation: "events.create",
      needsCall: false,
      effect: "adds"
    },
    Arguments.HoldSlot,
    Descriptions.holdSlot
  ),
  book: define(
    {
      name: "book",
      title: "Book an appointment",
      description:
        "Books the time of a slot_id that find_slots returned, after the caller has agreed to it. Say the text of `say`: only it confirms the appointment. If `error` is slot_unavailable, the time has just been taken: offer the times in `slots`. It is safe to repeat a call of which you have no answer.",
      operation: "events.create",
      needsCall: false,
      effect: "adds"
    },
    Arguments.Book,
    Descriptions.book
  ),
  my_appointments: define(
    {
      name: "my_appointments",
      title: "List the caller's appointments",
      description:
        "Lists the caller's coming appointments. Call it when the caller asks about an appointment, and before move and cancel, which need the id of an event. Say the text of `say`; never say an id.",
      operation: "events.list",
      needsCall: true,
      effect: "reads"
    },
    Arguments.None,
    Descriptions.none
  ),
  move: define(
    {
      name: "move",
      title: "Move an appointment",
      description:
        "Moves one of the caller's appointments to the time of a slot_id that find_slots returned, after the caller has agreed to it. Say the text of `say`: only it confirms the new time. If `error` is slot_unavailable, the appointment has its old time: offer the times in `slots`.",
      operation: "events.patch",
      needsCall: true,
      effect: "changes"
    },
    Arguments.Move,
    Descriptions.move
  ),
  cancel: define(
    {
      name: "cancel",
      title: "Cancel an appointment",
      description:
        "Cancels one of the caller's appointments. First name the appointment and ask the caller to confirm. Say the text of `say`: only it confirms that the appointment is cancelled.",
      operation: "events.cancel",
      needsCall: true,
      effect: "changes"
    },
    Arguments.Cancel,
    Descriptions.cancel
  ),
  get_contact: define(
    {
      name: "get_contact",
      title: "Read the caller's contact",
      description:
        "Returns what is stored about the caller. Call it when you need a field that get_context did not return. Use the fields in the conversation, and do not read them all aloud.",
      operation: "contacts.get",
      needsCall: true,
      effect: "reads"
    },
    Arguments.None,
    Descriptions.none
  ),
  update_contact: define(
    {
      name: "update_contact",
      title: "Change the caller's contact",
      description: `Stores what the caller has told about himself or herself, such as name or e-mail address. Spell an e-mail address back to the caller first. Give only the fields that change. ${sayIt}`,
      operation: "contacts.patch",
      needsCall: true,
      effect: "changes"
    },
    Arguments.UpdateContact,
    Descriptions.updateContact
  ),
  set_variables: define(
    {
      name: "set_variables",
      title: "Store variables",
      description:
        "Stores answers of the caller under the names of variables that your instructions name. Call it as soon as you have an answer. Do not mention it to the caller.",
      operation: "contacts.patch",
      needsCall: true,
      effect: "changes"
    },
    Arguments.SetVariables,
    Descriptions.setVariables
  ),
  opt_out: define(
    {
      name: "opt_out",
      title: "Stop all calls to the caller",
      description: `Puts the caller's number on the do-not-call list. Call it at once when the caller asks not to be called any more, without asking for a reason. ${sayIt} Then end the call politely.`,
      operation: "contacts.create",
      needsCall: true,
      effect: "changes"
    },
    Arguments.None,
    Descriptions.none
  ),
  request_callback: define(
    {
      name: "request_callback",
      title: "Request a call back",
      description: `Plans a call in which the business calls the caller back, at its first free time or on the day that the caller wants. Call it when the caller wants to talk to a person, or wants something that no other tool does. ${sayIt}`,
      operation: "events.create",
      needsCall: false,
      effect: "adds"
    },
    Arguments.RequestCallback,
    Descriptions.requestCallback
  )
} as const satisfies { readonly [N in AgentTool]: Tool<N> }

/** The name of a tool. */
export type ToolName = keyof typeof all

/** The types of the arguments after decoding, by the name of the tool. */
export type ArgumentsByName = {
  readonly [N in ToolName]: (typeof all)[N] extends Tool<N, infer A> ? A : never
}

/** The tools, each with the type of its arguments. */
export const byName: { readonly [N in ToolName]: Tool<N, ArgumentsByName[N]> } = all

const names = new Set<string>(Object.keys(all))

/** Returns whether there is a tool of that name. */
export const isToolName = (name: string): name is ToolName => names.has(name)

/** The names of all tools, in the order in which they are listed. */
export const toolNames: ReadonlyArray<ToolName> = Object.keys(all).filter(isToolName)
