import { all } from "@frontdesk/core/access/Permission"
import { type ToolAnswers, Toolbox } from "@frontdesk/agent-tools"
import * as Effect from "effect/Effect"

/** A slot that a taken one is answered with. */
const slot: ToolAnswers.OfferedSlot = {
  slot_id: "s1",
  start: "2026-11-24T15:00:00+00:00",
  end: "2026-11-24T15:30:00+00:00",
  say: "tomorrow at 3 pm"
}

/** A calendar event with an id, or the one of the id 1. */
export const eventWith = (id: number | string = 1): ToolAnswers.AnsweredEvent => ({
  id: Number(id),
  uuid: "5f9a1b1e-7c59-4c6e-9a3a-2d0f4be0c001",
  start_time: "2026-11-24T15:00:00.000Z",
  end_time: "2026-11-24T15:30:00.000Z",
  status: "scheduled"
})

/** Runners that return what they were given, with a refusal of a slot called `taken`. */
export const runners: Toolbox.Runners = {
  get_context: () =>
    Effect.succeed({
      say: "It is Tuesday the 24th, noon.",
      now: "2026-11-23T12:00:00+00:00",
      time_zone: "UTC",
      days: [],
      contact: null,
      appointments: [],
      variables: {}
    }),
  find_slots: ({ fromDate, partOfDay, toDate }) =>
    Effect.succeed({ say: "I have tomorrow at 3 pm.", slots: [slot], asked: [fromDate, toDate, partOfDay ?? null] }),
  hold_slot: ({ slotId }) => Effect.succeed({ say: `I hold ${slotId}.`, expires_at: "2026-11-24T14:03:00.000Z" }),
  book: ({ slotId }) =>
    slotId === "taken"
      ? Effect.succeed({ error: "slot_unavailable" as const, slots: [slot], say: "That time has just been taken." })
      : Effect.succeed({ say: "You are booked.", event: eventWith() }),
  my_appointments: () => Effect.succeed({ say: "You have none.", events: [] }),
  move: ({ eventId }) => Effect.succeed({ say: "Moved.", event: eventWith(eventId) }),
  cancel: ({ eventId }) => Effect.succeed({ say: "Cancelled.", event: eventWith(eventId) }),
  get_contact: () => Effect.succeed({ say: "I have your details.", contact: null }),
  update_contact: (fields) => Effect.succeed({ say: "Done.", changed: Object.keys(fields) }),
  set_variables: ({ variables }) => Effect.succeed({ say: "Noted.", variables }),
  opt_out: () => Effect.succeed({ say: "We will not call again." }),
  request_callback: () => Effect.succeed({ say: "We will call you back.", event: eventWith() })
}

/** Returns a toolbox with all permissions during a call, with some of the runners replaced. */
export const toolboxWith = (replaced: Toolbox.Runners = {}): Toolbox.Toolbox =>
  Toolbox.make({ permissions: new Set(all), hasCall: true, runners: { ...runners, ...replaced } })
