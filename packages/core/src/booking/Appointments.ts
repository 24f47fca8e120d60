import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AccountSettings } from "../access/Account.ts"
import { Principal } from "../access/Principal.ts"
import { ownRows } from "../access/Scope.ts"
import type { CalendarEvent } from "../calendar-event/CalendarEvent.ts"
import { CalendarEventNotFound } from "../calendar-event/CalendarEventError.ts"
import { CalendarEventKey } from "../calendar-event/CalendarEventKey.ts"
import * as EventKeys from "../calendar-event/CalendarEventKey.ts"
import { CalendarEventStore } from "../calendar-event/CalendarEventStore.ts"
import { Call } from "../call/Call.ts"
import * as ContactAccess from "../call/ContactAccess.ts"
import { isAnonymous } from "../call/InboundNumber.ts"
import type { ContactId } from "../contact/Contact.ts"
import type { StorageError } from "../storage/StorageError.ts"
import type { PhoneNumber } from "../values/PhoneNumber.ts"
import * as Input from "../values/Input.ts"
import * as Tracing from "../values/Tracing.ts"
import type { ValidationError } from "../values/ValidationError.ts"

/** The maximum number of appointments that `list` returns. */
export const maxAppointments = 10

/** A person for whom calendar events are booked. */
export interface Customer {
  readonly contactId: ContactId | null
  readonly phoneNumbers: ReadonlyArray<PhoneNumber>
}

/**
 * Returns the person on the telephone in a call, as calendar events name that person (D-AGT-6). The contact counts only when
 * the account trusts the number. A withheld number is the number of no person, and finds nothing.
 */
export const customerOf = (call: Call, settings: AccountSettings): Customer => ({
  contactId: ContactAccess.of(call, settings) === "all" ? (call.contact?.id ?? null) : null,
  phoneNumbers: isAnonymous(call.phoneNumber) ? [] : [call.phoneNumber]
})

const inputs: Input.Inputs<Appointments["Service"]> = {
  list: [{ call: Call }],
  get: [{ call: Call }, { key: CalendarEventKey }]
}

/** The appointments of the person on the telephone: calendar events of the call's account that were booked for that person. */
export class Appointments extends Context.Service<
  Appointments,
  {
    /** Returns the coming appointments, the earliest first, at most {@link maxAppointments}. */
    readonly list: (
      call: Call
    ) => Effect.Effect<ReadonlyArray<CalendarEvent>, ValidationError | StorageError, Principal>
    /**
     * Returns an appointment, whatever its status is and also when it is over. Fails with `CalendarEventNotFound` for the
     * calendar event of another person, and for one of another account.
     */
    readonly get: (
      call: Call,
      key: CalendarEventKey
    ) => Effect.Effect<CalendarEvent, CalendarEventNotFound | ValidationError | StorageError, Principal>
  }
>()("@frontdesk/core/booking/Appointments") {
  /** Needs the store of calendar events. */
  static readonly layer: Layer.Layer<Appointments, never, CalendarEventStore> = Layer.effect(
    Appointments,
    Effect.gen(function* () {
      const events = yield* CalendarEventStore

      return Input.service(Appointments, inputs, {
        list: Tracing.operation("Appointments.list")(function* (call) {
          const { account } = yield* Principal
          const customer = customerOf(call, account.settings)
          return yield* events.ofCustomer(account.id, customer, yield* DateTime.now, maxAppointments)
        }),
        get: Tracing.operation("Appointments.get")(function* (call, key) {
          const { account } = yield* Principal
          const { contactId, phoneNumbers } = customerOf(call, account.settings)
          const isTheirs = (event: CalendarEvent): boolean =>
            (contactId !== null && event.contactId === contactId) ||
            phoneNumbers.some((number) => number === event.customer.phone)
          const event = Option.filter(yield* events.find(ownRows(account.id), key), isTheirs)
          if (Option.isNone(event)) return yield* new CalendarEventNotFound({ event: EventKeys.value(key) })
          return event.value
        })
      })
    })
  )
}
