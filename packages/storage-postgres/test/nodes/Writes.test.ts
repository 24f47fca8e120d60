import { describe, expect, it } from "@effect/vitest"
import { Accounts } from "@frontdesk/core/access/Accounts"
import { Principal } from "@frontdesk/core/access/Principal"
import { CalendarEvents } from "@frontdesk/core/calendar/CalendarEvents"
import { Contacts } from "@frontdesk/core/contact/Contacts"
import * as Samples from "@frontdesk/testing/suite/Samples"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Node from "./Node.ts"

/** Two nodes and a caller. */
const setUp = Effect.gen(function* () {
  const nodes = yield* Node.make(2)
  const [first] = nodes
  if (first === undefined) return yield* Effect.die("no nodes")
  const account = yield* Effect.provide(Samples.makeAccount(), first)
  return { nodes, first, caller: yield* Context.get(first, Accounts).principal(account.id) }
})

/** So many times each node, in turn. */
const times = (nodes: ReadonlyArray<Node.Node>, count: number) => Array.from({ length: count }, () => nodes).flat()

describe("writes on many nodes", () => {
  it.live("of 50 bookings for one slot at once through two nodes, with reject_conflicts, one gets it", () =>
    Effect.gen(function* () {
      const { caller, nodes } = yield* setUp
      const results = yield* Effect.forEach(
        times(nodes, 25),
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
      expect(results.filter(Result.isSuccess)).toHaveLength(1)
      const refusals = results.filter(Result.isFailure).map(({ failure }) => failure._tag)
      expect(new Set(refusals)).toEqual(new Set(["SlotUnavailable"]))
    }).pipe(Effect.scoped)
  )

  it.live("patches of one contact at once through two nodes lose no key of its contexts", () =>
    Effect.gen(function* () {
      const { caller, first, nodes } = yield* setUp
      const { id } = yield* Effect.provide(Samples.makeContact(caller.account.id), first)
      yield* Effect.forEach(
        times(nodes, 20),
        (node, index) =>
          Context.get(node, Contacts).patch(id, {
            customContext: { [`custom_${index}`]: `${index}` },
            industryContext: { [`industry_${index}`]: `${index}` },
            ...(index % 2 === 0 ? { company: `Company ${index}` } : { city: `City ${index}` })
          }),
        { concurrency: "unbounded" }
      ).pipe(Effect.provideService(Principal, caller))
      const contact = yield* Context.get(first, Contacts).get(id).pipe(Effect.provideService(Principal, caller))
      expect(Object.keys(contact.customContext)).toHaveLength(40)
      expect(Object.keys(contact.industryContext)).toHaveLength(40)
      expect(contact.company).toMatch(/^Company /)
      expect(contact.city).toMatch(/^City /)
    }).pipe(Effect.scoped)
  )
})
