import { ContactErasureStore, type ErasureStep } from "@frontdesk/core/erasure/ContactErasureStore"
import * as Effect from "effect/Effect"
import { mutantsOf, reversed } from "./Mutant.ts"

const last: ErasureStep = { count: 0, after: null }

/** Mutants of `ContactErasureStore`. */
export const contactErasureStore = mutantsOf(ContactErasureStore, {
  "link has no effect": () => ({ link: () => Effect.succeed(0) }),
  "link ignores the number": (store) => ({ link: (subject, limit) => store.link({ ...subject, numbers: [] }, limit) }),
  "link ignores the writings": (store) => ({
    link: (subject, limit) => store.link({ ...subject, writings: [] }, limit)
  }),
  "link ignores the address": (store) => ({ link: (subject, limit) => store.link({ ...subject, emails: [] }, limit) }),
  "link returns 0 although records are left": (store) => ({
    link: (subject, limit) => Effect.as(store.link(subject, limit), 0)
  }),
  "calls starts at the first call": (store) => ({ calls: (id, _, limit) => store.calls(id, null, limit) }),
  "calls ignores the limit": (store) => ({ calls: (id, after) => store.calls(id, after, 100) }),
  "calls returns the newest call first": (store) => ({ calls: (...given) => reversed(store.calls(...given)) }),
  "calendarEvents starts at the first event": (store) => ({
    calendarEvents: (id, _, limit) => store.calendarEvents(id, null, limit)
  }),
  "calendarEvents ignores the limit": (store) => ({
    calendarEvents: (id, after) => store.calendarEvents(id, after, 100)
  }),
  "calendarEvents returns the newest event first": (store) => ({
    calendarEvents: (...given) => reversed(store.calendarEvents(...given))
  }),
  "clearToolCalls has no effect": () => ({ clearToolCalls: () => Effect.succeed(0) }),
  "clearToolCalls leaves those about events": (store) => ({
    clearToolCalls: ({ calls }) => store.clearToolCalls({ calls, calendarEvents: [] })
  }),
  "clearToolCalls leaves those of calls": (store) => ({
    clearToolCalls: ({ calendarEvents }) => store.clearToolCalls({ calls: [], calendarEvents })
  }),
  "dropMails has no effect": () => ({ dropMails: () => Effect.succeed(0) }),
  "dropMails takes the first event only": (store) => ({ dropMails: (ids) => store.dropMails(ids.slice(-1)) }),
  "clearDeliveries has no effect": () => ({ clearDeliveries: () => Effect.succeed(last) }),
  "clearDeliveries stops after the first step": (store) => ({
    clearDeliveries: (...given) => Effect.map(store.clearDeliveries(...given), ({ count }) => ({ count, after: null }))
  }),
  "clearDeliveries takes the first subject only": (store) => ({
    clearDeliveries: (id, subjects, ...rest) => store.clearDeliveries(id, subjects.slice(0, 1), ...rest)
  }),
  "clearDeliveries empties the bodies": (store) => ({
    clearDeliveries: (id, subjects, _, ...rest) => store.clearDeliveries(id, subjects, new Uint8Array(), ...rest)
  }),
  "clearDeliveries ignores the limit": (store) => ({
    clearDeliveries: (id, subjects, body, after) => store.clearDeliveries(id, subjects, body, after, 1_000)
  }),
  "clearAnswers has no effect": () => ({ clearAnswers: () => Effect.succeed(last) }),
  "clearAnswers stops after the first step without an answer": (store) => ({
    clearAnswers: (id, after, limit) =>
      Effect.map(store.clearAnswers(id, after, limit), (step) => ({
        count: step.count + (after === null ? 1 : 0),
        after: null
      }))
  }),
  "dropRefused has no effect": () => ({ dropRefused: () => Effect.succeed(last) }),
  "dropRefused stops after the first step": (store) => ({
    dropRefused: (...given) => Effect.map(store.dropRefused(...given), ({ count }) => ({ count, after: null }))
  }),
  "dropRefused ignores the number": (store) => ({
    dropRefused: (subject, ...rest) => store.dropRefused({ ...subject, numbers: [] }, ...rest)
  }),
  "dropRefused ignores the address": (store) => ({
    dropRefused: (subject, ...rest) => store.dropRefused({ ...subject, emails: [] }, ...rest)
  }),
  "dropRefused ignores the limit": (store) => ({
    dropRefused: (subject, after) => store.dropRefused(subject, after, 1_000)
  })
})
