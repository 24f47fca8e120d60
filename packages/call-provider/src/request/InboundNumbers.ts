import { type InboundNumbers, ReportedInbound } from "@frontdesk/core/call/CallProvider"
import { isAnonymous } from "@frontdesk/core/call/InboundNumber"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as Schema from "effect/Schema"

const isPhoneNumber = Schema.is(PhoneNumber)

const isAssistantId = Schema.is(ReportedInbound.fields.assistantId)

/**
 * Returns the numbers of an inbound call, or null when the dialled number is not in E.164 form. `from` is null when the caller
 * withholds the number, or when it is not in E.164 form.
 */
export const inboundNumbers = (from: unknown, to: unknown): InboundNumbers | null =>
  isPhoneNumber(to) ? { from: isPhoneNumber(from) && !isAnonymous(from) ? from : null, to } : null

/** Returns the numbers of an inbound call with the provider's id of its assistant, if that is known and valid. */
export const reportedInbound = (
  numbers: InboundNumbers | null,
  assistantId: string | null | undefined
): ReportedInbound | null => (numbers !== null && isAssistantId(assistantId) ? { ...numbers, assistantId } : numbers)
