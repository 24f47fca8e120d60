import { expect, it } from "@effect/vitest"
import type { CalendarEvent } from "@frontdesk/core/calendar-event/CalendarEvent"
import type { CalendarSyncError } from "@frontdesk/core/external-calendar/CalendarSync"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { newEvent } from "./Events.ts"
import type { Asked, FakeServer, Fault } from "./FakeServer.ts"

/** What goes wrong, and what the error is like. */
export type FaultCase = readonly [name: string, fault: Fault, error: object]

/** Whether a request makes an event. */
export const isCreate = ({ method, url }: Asked) => method === "POST" && url.pathname.endsWith("/events")

/** What can go wrong with every provider; a redirect has one of the statuses that a client might follow. */
export const faultsOfAll = (redirect: number): ReadonlyArray<FaultCase> => [
  [
    "a redirect",
    { kind: "answer", reply: { status: redirect, headers: { location: "/elsewhere" } } },
    { reason: "invalid" }
  ],
  ["a connection that breaks before it is done", { kind: "dropped" }, { reason: "transport" }],
  ["a connection that breaks after it is done", { kind: "lost" }, { reason: "transport" }],
  ["half an answer", { kind: "torn" }, { reason: "transport" }],
  ["an answer that is no JSON", { kind: "garbled", body: "<html>Sorry</html>" }, { reason: "transport" }],
  ["an answer that is no event", { kind: "garbled", body: "{}" }, { reason: "invalid" }]
]

/** What the test does with a fake. */
interface Opened {
  readonly server: FakeServer
  readonly write: (event: CalendarEvent) => Effect.Effect<unknown, CalendarSyncError>
}

/** A create that meets a fault fails with its error, and the next try makes one event of those that `countOf` counts. */
export const testFaults = <Fake extends Opened>(
  opened: Effect.Effect<Fake, CalendarSyncError | StorageError, Scope.Scope>,
  countOf: (fake: Fake) => number,
  faults: ReadonlyArray<FaultCase>
): void =>
  it.effect.each(faults)("%s fails with its reason, and the next try makes one event", ([, fault, error]) =>
    Effect.gen(function* () {
      const fake = yield* opened
      const event = newEvent()
      fake.server.fail(fault, isCreate)
      expect(yield* Effect.flip(fake.write(event))).toMatchObject(error)
      yield* fake.write(event)
      expect(countOf(fake)).toBe(1)
      expect(fake.server.asked.some(({ url }) => url.pathname === "/elsewhere")).toBe(false)
    })
  )
