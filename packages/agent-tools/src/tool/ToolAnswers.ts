import type { Answer } from "./Answer.ts"
import type { JsonFields } from "../wire/Json.ts"

/** A free time that a tool offers. Times are local, with their offset: `2026-03-08T09:00:00-04:00`. */
export type OfferedSlot = {
  /** What `hold_slot`, `book` and `move` take. */
  readonly slot_id: string
  readonly start: string
  readonly end: string
  /** The start in words. */
  readonly say: string
}

/** A calendar event in an answer. More fields may be added. */
export type AnsweredEvent = JsonFields & {
  readonly id: number
  readonly uuid: string
  readonly start_time: string
  readonly end_time: string
  readonly status: string
}

/** The answer of a tool that did what it was asked for, with its fields. More fields may be added. */
type Done<Fields> = Answer & { readonly error?: never } & Fields

/** The answer of a tool that did not do what it was asked for, with the code of the reason. */
export type Refusal = Answer & { readonly error: string }

/**
 * The answer when a slot cannot be booked or held: it is taken, it begins before the minimum notice of the account ends, or
 * the same conversation has booked it.
 */
export type SlotRefused = Refusal & {
  readonly error: "slot_unavailable" | "too_late" | "already_booked"
  /** The nearest free times, at most three. */
  readonly slots: ReadonlyArray<OfferedSlot>
}

type WithEvent = Done<{ readonly event: AnsweredEvent }>

/** The answers of the tools, by name. Programs outside this project read their fields, so a name never changes. */
export type AnswersByName = {
  readonly get_context: Done<{
    /** The present local time with its offset. */
    readonly now: string
    readonly time_zone: string
    /** The next 14 days, see `Speech.nextDays`. */
    readonly days: ReadonlyArray<{ readonly date: string; readonly weekday: string }>
    /** Null when the person on the telephone is not known. */
    readonly contact: JsonFields | null
    readonly appointments: ReadonlyArray<AnsweredEvent>
    readonly variables: JsonFields
  }>
  readonly find_slots: Done<{ readonly slots: ReadonlyArray<OfferedSlot> }>
  readonly hold_slot: Done<{ readonly expires_at: string }> | SlotRefused
  readonly book: WithEvent | SlotRefused
  readonly my_appointments: Done<{ readonly events: ReadonlyArray<AnsweredEvent> }>
  readonly move: WithEvent | SlotRefused
  readonly cancel: WithEvent
  readonly get_contact: Done<{ readonly contact: JsonFields | null }>
  readonly update_contact: Done<unknown>
  readonly set_variables: Done<unknown>
  readonly opt_out: Done<unknown>
  readonly request_callback: WithEvent
}
