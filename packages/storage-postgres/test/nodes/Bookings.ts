import { expect } from "@effect/vitest"
import { Principal } from "@frontdesk/core/access/Principal"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Node from "./Node.ts"

/**
 * Books one slot with `reject_conflicts` 50 times at once, through the nodes in turn. Expects one booking to succeed, and
 * the others to find the slot taken.
 */
export const expectOneBooking = Effect.fnUntraced(function* (
  nodes: ReadonlyArray<Node.Node>,
  caller: Principal["Service"]
) {
  const inTurn = Array.from({ length: Math.ceil(50 / nodes.length) }, () => nodes)
    .flat()
    .slice(0, 50)
  const results = yield* Effect.forEach(
    inTurn,
    (node, index) =>
      Context.get(node, CalendarEvents)
        .create({
          title: `Booking ${index}`,
          startTime: "2099-03-02T10:00:00Z",
          endTime: "2099-03-02T10:30:00Z",
          rejectConflicts: true
        })
        .pipe(Effect.result),
    { concurrency: "unbounded" }
  ).pipe(Effect.provideService(Principal, caller))
  expect(results).toHaveLength(50)
  expect(results.filter(Result.isSuccess)).toHaveLength(1)
  const refusals = results.filter(Result.isFailure).map(({ failure }) => failure._tag)
  expect(new Set(refusals)).toEqual(new Set(["SlotUnavailable"]))
})
