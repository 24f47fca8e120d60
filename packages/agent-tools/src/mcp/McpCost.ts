import * as SearchCost from "@frontdesk/core/availability/SearchCost"
import * as Utf8 from "@frontdesk/core/values/Utf8"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { daysBetween } from "@frontdesk/core/values/CalendarDate"
import { byName } from "../tool/Tools.ts"
import { parseJson } from "../wire/Json.ts"
import { defaultMaxBytes, maxBatch } from "./McpEndpoint.ts"

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
 * Returns what a body costs beyond one ordinary request: the cost of each message of a batch, and of each search the same as
 * in the API. A body that the route rejects as a whole costs nothing more.
 */
export const ofBody = (body: Uint8Array): number => {
  if (body.length > defaultMaxBytes) return 0
  const parsed = Option.getOrUndefined(parseJson(Utf8.decode(body) ?? ""))
  const messages: ReadonlyArray<unknown> = Array.isArray(parsed) ? parsed : [parsed]
  if (messages.length > maxBatch) return 0
  return Math.max(
    0,
    messages.reduce<number>((cost, message) => cost + ofMessage(message), -1)
  )
}
