import { type Conversation, message, workday } from "./Fixture.ts"

/** Calls a tool, and returns its structured answer. */
export type Call = (conversation: Conversation, name: string, args: object) => Promise<unknown>

/** A tool that is measured. */
export interface MeasuredTool {
  readonly name: string
  /** A text that every answer contains. */
  readonly expectedText: string
  /**
   * Returns the requests of one round, in the order in which they are sent. Neighbours belong to different conversations.
   * What they need, such as a `slot_id`, is made before the round, so its time does not count.
   */
  readonly prepare: (call: Call) => Promise<ReadonlyArray<string>>
}

const searchDays = 5

/** The number of dates at the begin of the calendar that only searches use. Bookings use later dates. */
const searchedDays = 200

/** Returns the bytes of a call of a tool. */
const toolMessage = ({ key }: Conversation, name: string, args: object): string =>
  message(key, "POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } })

/** Which requests are made. */
interface Options {
  readonly conversations: ReadonlyArray<Conversation>
  /** The number of calls of each conversation in a round. */
  readonly calls: number
}

/** Returns requests of all conversations in turn. `turn` counts the requests of a conversation, `n` all of them. */
const inTurn = (
  { calls, conversations }: Options,
  requestOf: (conversation: Conversation, turn: number, n: number) => string
): ReadonlyArray<string> =>
  Array.from({ length: calls }, (_, turn) =>
    conversations.map((conversation, index) => requestOf(conversation, turn, turn * conversations.length + index))
  ).flat()

/** Returns the first and the last date of a search of one week. */
const weekOf = (n: number) => {
  const first = (n * searchDays) % searchedDays
  return [workday(first), workday(first + searchDays - 1)] as const
}

/** Returns the baseline: the same searches as those of `find_slots`, in the API. */
export const availability = (options: Options): MeasuredTool => ({
  name: "GET availability",
  expectedText: '"available_slots":[{',
  prepare: () =>
    Promise.resolve(
      inTurn(options, ({ key }, _, n) => {
        const [from, to] = weekOf(n)
        return message(key, "GET", `/api/v1/calendar/availability?start_date=${from}&end_date=${to}&duration=30`)
      })
    )
})

const slotIdsOf = (answer: unknown): ReadonlyArray<string> => {
  const slots: unknown = typeof answer === "object" && answer !== null && "slots" in answer ? answer.slots : undefined
  if (!Array.isArray(slots) || slots.length === 0) throw new Error(`No slot was offered: ${JSON.stringify(answer)}`)
  return slots.flatMap((slot: unknown) =>
    typeof slot === "object" && slot !== null && "slot_id" in slot && typeof slot.slot_id === "string"
      ? [slot.slot_id]
      : []
  )
}

/** A part of the answer of a tool that has not refused. */
const succeeded = '"isError":false'

/** Returns the tools that are measured. */
export const tools = (options: Options): ReadonlyArray<MeasuredTool> => {
  let usedDays = searchedDays

  /** Finds free slots for each conversation on dates that no other conversation uses. */
  const freeSlots = async (call: Call, count: number): Promise<ReadonlyMap<Conversation, ReadonlyArray<string>>> => {
    const found = new Map<Conversation, ReadonlyArray<string>>()
    for (const conversation of options.conversations) {
      const slots: Array<string> = []
      while (slots.length < count) {
        const date = workday(usedDays++)
        const args = { from_date: date, to_date: date, duration_minutes: 30 }
        slots.push(...slotIdsOf(await call(conversation, "find_slots", args)))
      }
      found.set(conversation, slots)
    }
    return found
  }

  let held: ReadonlyMap<Conversation, ReadonlyArray<string>> | undefined

  return [
    {
      name: "get_context",
      expectedText: succeeded,
      prepare: () => Promise.resolve(inTurn(options, (conversation) => toolMessage(conversation, "get_context", {})))
    },
    {
      name: "find_slots",
      expectedText: succeeded,
      prepare: () =>
        Promise.resolve(
          inTurn(options, (conversation, _, n) => {
            const [from, to] = weekOf(n)
            return toolMessage(conversation, "find_slots", { from_date: from, to_date: to, duration_minutes: 30 })
          })
        )
    },
    {
      // A conversation can hold two slots. Its further calls hold one of them for as long again.
      name: "hold_slot",
      expectedText: succeeded,
      prepare: async (call) => {
        held ??= await freeSlots(call, 2)
        const slots = held
        return inTurn(options, (conversation, turn) =>
          toolMessage(conversation, "hold_slot", {
            slot_id: slots.get(conversation)?.[turn % 2]
          })
        )
      }
    },
    {
      name: "book",
      expectedText: succeeded,
      prepare: async (call) => {
        const slots = await freeSlots(call, options.calls)
        return inTurn(options, (conversation, turn) =>
          toolMessage(conversation, "book", {
            slot_id: slots.get(conversation)?.[turn],
            title: "Check-up",
            customer_name: "Jo Doe",
            customer_email: "jo@example.com",
            customer_phone: "+12025550123"
          })
        )
      }
    }
  ]
}
