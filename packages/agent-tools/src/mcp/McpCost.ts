import * as SearchCost from "@frontdesk/core/availability/SearchCost"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { daysBetween } from "@frontdesk/core/values/CalendarDate"
import { byName } from "../tool/Tools.ts"

const decodeSearch = Schema.decodeUnknownOption(
  Schema.Struct({
    method: Schema.Literal("tools/call"),
    params: Schema.Struct({ name: Schema.Literal("find_slots"), arguments: Schema.Unknown })
  })
)

/** Returns the cost of a message: that of its search in `find_slots`, and 1 for any other message. */
const ofMessage = (message: unknown): number => {
  const call = decodeSearch(message)
  if (Option.isNone(call)) return 1
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
