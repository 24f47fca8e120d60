import { all } from "@frontdesk/core/access/Permission"
import { type Answer, Toolbox } from "@frontdesk/agent-tools"
import * as Effect from "effect/Effect"

const slot = {
  slot_id: "s1",
  start: "2026-11-24T15:00:00+00:00",
  end: "2026-11-24T15:30:00+00:00",
  say: "tomorrow at 3 pm"
}

/** Runners that return what they were given, with a refusal of a slot called `taken`. */
export const runners: Toolbox.Runners = {
  get_context: () => Effect.succeed({ say: "It is today at noon.", days: [] }),
  find_slots: ({ fromDate, partOfDay, toDate }) =>
    Effect.succeed({ say: "I have tomorrow at 3 pm.", slots: [slot], asked: [fromDate, toDate, partOfDay ?? null] }),
  hold_slot: ({ slotId }) => Effect.succeed({ say: `I hold ${slotId}.`, expires_at: "2026-11-24T14:03:00.000Z" }),
  book: ({ slotId }): Effect.Effect<Answer.Answer> =>
    Effect.succeed(
      slotId === "taken"
        ? { error: "slot_unavailable", slots: [slot], say: "That time has just been taken." }
        : { say: "You are booked.", event: { id: 1, status: "scheduled" } }
    ),
  my_appointments: () => Effect.succeed({ say: "You have none.", events: [] }),
  move: ({ eventId, slotId }) => Effect.succeed({ say: "Moved.", event: { id: eventId, slot: slotId } }),
  cancel: ({ eventId }) => Effect.succeed({ say: "Cancelled.", event: { id: eventId } }),
  get_contact: () => Effect.succeed({ say: "I have your details." }),
  update_contact: (fields) => Effect.succeed({ say: "Done.", changed: Object.keys(fields) }),
  set_variables: ({ variables }) => Effect.succeed({ say: "Noted.", variables }),
  opt_out: () => Effect.succeed({ say: "We will not call again." }),
  request_callback: () => Effect.succeed({ say: "I have asked for a call back." })
}

/** Returns a toolbox with all permissions during a call, with some of the runners replaced. */
export const toolboxWith = (replaced: Toolbox.Runners = {}): Toolbox.Toolbox =>
  Toolbox.make({ permissions: new Set(all), hasCall: true, runners: { ...runners, ...replaced } })
