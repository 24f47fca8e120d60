import * as SearchCost from "@frontdesk/core/availability/SearchCost"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { daysBetween } from "@frontdesk/core/values/CalendarDate"
import { callbackDays, callbackMinutes } from "../runner/BookingTools.ts"
import { byName } from "../tool/Tools.ts"

const decodeSearch = Schema.decodeUnknownOption(
  Schema.Struct({
    method: Schema.Literal("tools/call"),
    params: Schema.Struct({
      name: Schema.Literals(["find_slots", "request_callback"]),
      arguments: Schema.optionalKey(Schema.Unknown)
    })
  })
)

/** The cost of `request_callback`, which searches the days in which a call back is planned. */
const ofCallback = SearchCost.ofSearch(callbackDays, callbackMinutes)

/** Returns the cost of a message: that of its search, and 1 for a message that does not search. */
const ofMessage = (message: unknown): number => {
  const call = decodeSearch(message)
  if (Option.isNone(call)) return 1
  if (call.value.params.name === "request_callback") return ofCallback
  return Result.match(byName.find_slots.decode(call.value.params.arguments), {
    onFailure: () => 1,
    onSuccess: ({ durationMinutes, fromDate, toDate }) =>
      SearchCost.ofSearch(daysBetween(fromDate, toDate) + 1, durationMinutes)
  })
}

/**
 * Returns what messages cost beyond one ordinary request: the cost of each message of a batch, and of each search the same as
 * in the API.
 */
export const ofMessages = (messages: ReadonlyArray<unknown>): number =>
  Math.max(
    0,
    messages.reduce<number>((cost, message) => cost + ofMessage(message), -1)
  )
