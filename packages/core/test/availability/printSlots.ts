import * as Result from "effect/Result"
import { formatOffset } from "@frontdesk/core/values/TimeZone"
import { parse } from "@frontdesk/core/values/WallTime"
import { slotsOf, vectors } from "./vectors.ts"

// A separate program, because a process reads its time zone only when it starts.
const lines = vectors.map(({ query }) => [
  slotsOf(query).map(({ end, start }) => [start, end, formatOffset(start, query.timeZone)]),
  Result.getOrThrow(parse(`${query.startDate}T02:30`, query.timeZone))
])
console.log(JSON.stringify({ lines, processOffset: new Date(2026, 0, 1).getTimezoneOffset() }))
