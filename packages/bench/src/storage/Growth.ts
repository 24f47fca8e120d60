import { CalendarEventStore } from "@frontdesk/core/calendar-event/CalendarEventStore"
import { CallStore } from "@frontdesk/core/call/CallStore"
import type * as SqliteStorage from "@frontdesk/storage-sqlite/SqliteStorage"
import * as Console from "effect/Console"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { accountId, first, perWeek, week } from "./Fill.ts"

/** All stores of a database. */
export type Stores = Context.Context<SqliteStorage.Stores>

/** The number of rows in the small and in the large account, and the number of measurements of each query. */
export interface Size {
  readonly few: number
  readonly many: number
  readonly rounds: number
}

const scope = { accountId, teamIds: [] }

/** A measured query about row `n` or the week of that row. `run` returns how many rows it found. */
interface Query {
  readonly name: string
  readonly run: (stores: Stores, n: number) => Effect.Effect<number, unknown>
}

const weekOf = (n: number) => {
  const from = DateTime.add(first, { milliseconds: Math.floor(n / perWeek) * week })
  return { from, until: DateTime.add(from, { milliseconds: week }) }
}

const queries: ReadonlyArray<Query> = [
  {
    name: "a page of a week's events",
    run: (stores, n) =>
      Effect.map(
        Context.get(stores, CalendarEventStore).list(scope, weekOf(n), { page: 1, limit: perWeek }),
        (page) => page.items.length + page.count
      )
  },
  {
    name: "the first page of all events",
    run: (stores) =>
      Effect.map(
        Context.get(stores, CalendarEventStore).list(scope, {}, { page: 1, limit: perWeek }),
        (page) => page.items.length
      )
  },
  {
    name: "busy times of a week",
    run: (stores, n) => {
      const { from, until } = weekOf(n)
      return Effect.map(
        Context.get(stores, CalendarEventStore).busy(accountId, from, until, Option.none()),
        (busy) => busy.length
      )
    }
  },
  {
    name: "a call by its identifier",
    run: (stores, n) =>
      Effect.map(
        Context.get(stores, CallStore).find(scope, { callId: `call_${n.toString(16).padStart(8, "0")}` }),
        (call) => (Option.isSome(call) ? 1 : 0)
      )
  }
]

const median = (times: ReadonlyArray<number>): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN

const compare = Effect.fnUntraced(function* (
  { name, run: find }: Query,
  small: Stores,
  large: Stores,
  { few, many, rounds }: Size
) {
  const times: { readonly small: Array<number>; readonly large: Array<number> } = { small: [], large: [] }
  // A generator of numbers that look random and are the same in every run.
  let state = 12_345
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const time = Effect.fnUntraced(function* (stores: Stores, count: number, into: Array<number>, round: number) {
    const n = random(count - perWeek)
    const before = performance.now()
    const found = yield* find(stores, n)
    const after = performance.now()
    if (found === 0) return yield* Effect.die(`The query "${name}" found nothing.`)
    // The first tenth of the rounds is a warm-up.
    if (round >= rounds / 10) into.push(after - before)
  })
  for (let round = 0; round < rounds; round++) {
    // In turns, and each account is first in half of the rounds.
    if (round % 2 === 0) yield* time(small, few, times.small, round)
    yield* time(large, many, times.large, round)
    if (round % 2 === 1) yield* time(small, few, times.small, round)
  }
  const [a, b] = [median(times.small), median(times.large)]
  const micros = (milliseconds: number) => `${(milliseconds * 1_000).toFixed(0).padStart(5)} µs`
  yield* Console.log(
    `${name.padEnd(30)} ${micros(a)} of ${few.toLocaleString("en")} ${micros(b)} of ${many.toLocaleString("en")}   ratio ${(b / a).toFixed(2)}`
  )
})

/** Prints the median times of lists and look-ups in a small account and in a large one. */
export const run = (small: Stores, large: Stores, size: Size): Effect.Effect<void, unknown> =>
  Effect.forEach(queries, (query) => compare(query, small, large, size), { discard: true })
