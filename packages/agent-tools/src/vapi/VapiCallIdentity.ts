import * as Schema from "effect/Schema"
import { lenient, ShortText as Short } from "../wire/Json.ts"

const Customer = Schema.Struct({ number: lenient(Short), externalId: lenient(Short) })

const PhoneNumber = Schema.Struct({ id: lenient(Short), number: lenient(Short) })

const Call = Schema.Struct({
  id: lenient(Short),
  type: lenient(Short),
  customer: lenient(Customer),
  phoneNumber: lenient(PhoneNumber),
  phoneNumberId: lenient(Short),
  assistantOverrides: lenient(Schema.Struct({ metadata: lenient(Schema.Record(Schema.String, Schema.Unknown)) }))
})

/** The fields of a message that tell which call it is about. */
export const CallFields = { call: lenient(Call), customer: lenient(Customer), phoneNumber: lenient(PhoneNumber) }

/** The fields of a message that tell which call it is about. */
export type CallFields = Schema.Struct.Type<typeof CallFields>

/** Which call a message of Vapi is about, and who is on the telephone. Only a verified message proves it. */
export interface VapiCallIdentity {
  /** The id of the call at Vapi. */
  readonly providerCallId: string | null
  /** The metadata of the call's overrides. A call that Frontdesk started has its reference there. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** The `externalId` of the customer. A call that Frontdesk started has its reference there. */
  readonly externalId: string | null
  /** The number of the person on the telephone. */
  readonly customerNumber: string | null
  /** The account's own number. */
  readonly ownNumber: string | null
  /** The id of the account's own number at Vapi. */
  readonly ownNumberId: string | null
  /** Null when Vapi does not name a type that is known. */
  readonly direction: "inbound" | "outbound" | null
}

/** Returns which call a message is about. */
export const identityOf = ({ call, customer, phoneNumber }: CallFields): VapiCallIdentity => ({
  providerCallId: call?.id ?? null,
  metadata: call?.assistantOverrides?.metadata ?? {},
  externalId: call?.customer?.externalId ?? customer?.externalId ?? null,
  customerNumber: call?.customer?.number ?? customer?.number ?? null,
  ownNumber: phoneNumber?.number ?? call?.phoneNumber?.number ?? null,
  ownNumberId: phoneNumber?.id ?? call?.phoneNumber?.id ?? call?.phoneNumberId ?? null,
  direction: call?.type === "inboundPhoneCall" ? "inbound" : call?.type === "outboundPhoneCall" ? "outbound" : null
})
