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
const toolMessage = ({ callId, key }: Conversation, name: string, args: object): string =>
  message(
    key,
    "POST",
    "/mcp",
    { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
    callId
  )

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

const weekdayOf = (date: string): string =>
  new Date(date).toLocaleDateString("en", { weekday: "long", timeZone: "UTC" })

const eventIdOf = (answer: unknown): number => {
  const event = typeof answer === "object" && answer !== null && "event" in answer ? answer.event : undefined
  if (typeof event === "object" && event !== null && "id" in event && typeof event.id === "number") return event.id
  throw new TypeError(`No event was booked: ${JSON.stringify(answer)}`)
}

/** What each conversation has prepared for its calls of a tool. */
type Prepared<A> = ReadonlyMap<Conversation, ReadonlyArray<A>>

/** Returns the tools that are measured. */
export const tools = (options: Options): ReadonlyArray<MeasuredTool> => {
  const { calls, conversations } = options
  let usedDays = searchedDays
  let held: Prepared<string> | undefined

  const forEach = async <A>(prepare: (conversation: Conversation) => Promise<ReadonlyArray<A>>): Promise<Prepared<A>> =>
    new Map(await Promise.all(conversations.map(async (each) => [each, await prepare(each)] as const)))

  /** Finds free slots for each conversation on dates that no other conversation uses. */
  const freeSlots = (call: Call, count: number): Promise<Prepared<string>> =>
    forEach(async (conversation) => {
      const slots: Array<string> = []
      while (slots.length < count) {
        const date = workday(usedDays++)
        const args = { from_date: date, to_date: date, duration_minutes: 30 }
        slots.push(...slotIdsOf(await call(conversation, "find_slots", args)))
      }
      return slots
    })

  /** Books an appointment for each call of a tool. Returns their ids. */
  const appointments = async (call: Call): Promise<Prepared<number>> => {
    const slots = await freeSlots(call, calls)
    return forEach(async (conversation) => {
      const ids: Array<number> = []
      for (const slot_id of slots.get(conversation)?.slice(0, calls) ?? []) {
        ids.push(eventIdOf(await call(conversation, "book", { slot_id })))
      }
      return ids
    })
  }

  /** Returns a tool whose arguments need no preparation. */
  const simple = (name: string, argsOf: (n: number) => object = () => ({})): MeasuredTool => ({
    name,
    expectedText: succeeded,
    prepare: () => Promise.resolve(inTurn(options, (conversation, _, n) => toolMessage(conversation, name, argsOf(n))))
  })

  /** Returns a tool whose arguments are prepared for each conversation and each of its calls. */
  const prepared = (
    name: string,
    prepare: (call: Call) => Promise<(conversation: Conversation, turn: number) => object>
  ): MeasuredTool => ({
    name,
    expectedText: succeeded,
    prepare: async (call) => {
      const argsOf = await prepare(call)
      return inTurn(options, (conversation, turn) => toolMessage(conversation, name, argsOf(conversation, turn)))
    }
  })

  return [
    simple("get_context"),
    simple("find_slots", (n) => {
      const [from, to] = weekOf(n)
      return { from_date: from, to_date: to, duration_minutes: 30 }
    }),
    // A conversation can hold two slots. Its further calls hold one of them for as long again.
    prepared("hold_slot", async (call) => {
      held ??= await freeSlots(call, 2)
      const slots = held
      return (conversation, turn) => ({ slot_id: slots.get(conversation)?.[turn % 2] })
    }),
    prepared("book", async (call) => {
      const slots = await freeSlots(call, calls)
      return (conversation, turn) => ({ slot_id: slots.get(conversation)?.[turn], title: "Check-up" })
    }),
    simple("my_appointments"),
    prepared("move", async (call) => {
      const [ids, slots] = [await appointments(call), await freeSlots(call, calls)]
      return (conversation, turn) => ({
        event_id: ids.get(conversation)?.[turn],
        slot_id: slots.get(conversation)?.[turn]
      })
    }),
    prepared("cancel", async (call) => {
      const ids = await appointments(call)
      return (conversation, turn) => ({ event_id: ids.get(conversation)?.[turn], reason: "Ill" })
    }),
    simple("get_contact"),
    simple("update_contact", (n) => ({ company: `Company ${n}` })),
    simple("set_variables", (n) => ({ variables: { answer: `${n}` } })),
    simple("opt_out"),
    // A call back takes the first free time of its date, so two calls with the same date would compete for it.
    simple("request_callback", () => {
      const date = workday(usedDays++)
      return { reason: "A question", date, weekday: weekdayOf(date) }
    })
  ]
}
