import { isAnonymous } from "@frontdesk/core/call/InboundNumber"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as Schema from "effect/Schema"

const isPhoneNumber = Schema.is(PhoneNumber)

/** Returns the number from which an inbound call comes. Returns null when it is withheld, or is not an E.164 number. */
export const inboundFrom = (given: unknown): PhoneNumber | null =>
  isPhoneNumber(given) && !isAnonymous(given) ? given : null
