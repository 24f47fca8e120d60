import { expect, it } from "@effect/vitest"
import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import type { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { newEvent } from "./Events.ts"
import type { ReceivedRequest, FakeServer, Fault } from "./FakeServer.ts"

/** A fault, and the fields of the error that it must lead to. */
export type FaultCase = readonly [name: string, fault: Fault, error: object]

/** Returns whether a request creates an event. */
export const isCreate = ({ method, url }: ReceivedRequest) => method === "POST" && url.pathname.endsWith("/events")

/** Returns the faults that every provider can have. `redirect` is the status of the redirect among them. */
export const faultsOfAll = (redirect: number): ReadonlyArray<FaultCase> => [
  [
    "a redirect",
    { kind: "answer", reply: { status: redirect, headers: { location: "/elsewhere" } } },
    { reason: "invalid" }
  ],
  ["a connection closed before the create", { kind: "dropped" }, { reason: "transport" }],
  ["a connection closed after the create", { kind: "lost" }, { reason: "transport" }],
  ["half an answer", { kind: "torn" }, { reason: "transport" }],
  ["an answer that is not JSON", { kind: "garbled", body: "<html>Sorry</html>" }, { reason: "transport" }],
  ["an answer that is not an event", { kind: "garbled", body: "{}" }, { reason: "invalid" }]
]

/** A fake server with an open calendar. */
interface OpenCalendar {
  readonly server: FakeServer
  readonly write: (event: CalendarEvent) => Effect.Effect<unknown, CalendarSyncError>
}

/**
 * Defines a test for each fault: a create with the fault fails with its error, and a second create leads to exactly one
 * event. No redirect is followed.
 *
 * @param countOf returns the number of events in the fake
 */
export const testFaults = <Fake extends OpenCalendar>(
  openCalendar: Effect.Effect<Fake, CalendarSyncError | StorageError, Scope.Scope>,
  countOf: (fake: Fake) => number,
  faults: ReadonlyArray<FaultCase>
): void =>
  it.effect.each(faults)(
    "a create with %s fails with its reason and follows no redirect, and a retry leads to one event",
    ([, fault, error]) =>
      Effect.gen(function* () {
        const fake = yield* openCalendar
        const event = newEvent()
        fake.server.fail(fault, isCreate)
        expect(yield* Effect.flip(fake.write(event))).toMatchObject(error)
        yield* fake.write(event)
        expect(countOf(fake)).toBe(1)
        expect(fake.server.requests.some(({ url }) => url.pathname === "/elsewhere")).toBe(false)
      })
  )
