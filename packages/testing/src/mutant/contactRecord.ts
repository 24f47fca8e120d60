import { ContactRecordStore } from "@frontdesk/core/erasure/ContactRecordStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { mutantsOf, reversed } from "./Mutant.ts"

/** Mutants of `ContactRecordStore`. */
export const contactRecordStore = mutantsOf(ContactRecordStore, {
  "writtenNumbers starts at the first text": (store) => ({
    writtenNumbers: (id, _, limit) => store.writtenNumbers(id, null, limit)
  }),
  "writtenNumbers ignores the limit": (store) => ({
    writtenNumbers: (id, after) => store.writtenNumbers(id, after, 100)
  }),
  "writtenNumbers finds nothing": () => ({ writtenNumbers: () => Effect.succeed([]) }),
  "calls ignores the number": (store) => ({
    calls: (subject, limit) => store.calls({ ...subject, numbers: [] }, limit)
  }),
  "calls ignores the limit": (store) => ({ calls: (subject) => store.calls(subject, 100) }),
  "calls returns the oldest call first": (store) => ({ calls: (...given) => reversed(store.calls(...given)) }),
  "calls returns the highest id first": (store) => ({
    calls: (...given) => Effect.map(store.calls(...given), (ids) => ids.toSorted((a, b) => b - a))
  }),
  "calendarEvents ignores the number": (store) => ({
    calendarEvents: (subject, limit) => store.calendarEvents({ ...subject, numbers: [] }, limit)
  }),
  "calendarEvents ignores the writings": (store) => ({
    calendarEvents: (subject, limit) => store.calendarEvents({ ...subject, writings: [] }, limit)
  }),
  "calendarEvents ignores the address": (store) => ({
    calendarEvents: (subject, limit) => store.calendarEvents({ ...subject, emails: [] }, limit)
  }),
  "calendarEvents ignores the limit": (store) => ({
    calendarEvents: (subject) => store.calendarEvents(subject, 100)
  }),
  "calendarEvents returns the earliest event first": (store) => ({
    calendarEvents: (...given) => reversed(store.calendarEvents(...given))
  }),
  "toolCalls ignores the excepted calls": (store) => ({
    toolCalls: (id, events, _, limit) => store.toolCalls(id, events, [], limit)
  }),
  "toolCalls ignores the limit": (store) => ({
    toolCalls: (id, events, except) => store.toolCalls(id, events, except, 100)
  }),
  "toolCalls returns the oldest first": (store) => ({
    toolCalls: (...given) => reversed(store.toolCalls(...given))
  }),
  "toolCalls takes the first event only": (store) => ({
    toolCalls: (id, events, ...rest) => store.toolCalls(id, events.slice(0, 1), ...rest)
  }),
  "deliveries ignores the limit": (store) => ({
    deliveries: (id, subjects) => store.deliveries(id, subjects, 100)
  }),
  "deliveries takes the first subject only": (store) => ({
    deliveries: (id, subjects, ...rest) => store.deliveries(id, subjects.slice(0, 1), ...rest)
  }),
  "deliveries returns the oldest first": (store) => ({
    deliveries: (...given) => reversed(store.deliveries(...given))
  }),
  "delivery returns no body": (store) => ({
    delivery: (...given) =>
      Effect.map(
        store.delivery(...given),
        Option.map((one) => ({ ...one, body: new Uint8Array() }))
      )
  }),
  "delivery finds nothing": () => ({ delivery: () => Effect.succeed(Option.none()) })
})
