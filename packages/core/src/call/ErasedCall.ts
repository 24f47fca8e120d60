import { PhoneNumber } from "../values/PhoneNumber.ts"
import type { Call } from "./Call.ts"

/** The number of a call whose contact was erased. Its country code is not assigned. */
export const erasedNumber: PhoneNumber = PhoneNumber.make("+9990000000")

/** Returns whether the contact of a call was erased. Later reports of the provider add no texts to it (D-ERASE-2). */
export const isErased = ({ phoneNumber }: Pick<Call, "phoneNumber">): boolean => phoneNumber === erasedNumber

/** Returns a call without the data of a person (D-ERASE-2). Times, charges and the agent stay. */
export const erase = (call: Call): Call => ({
  ...call,
  phoneNumber: erasedNumber,
  transcript: null,
  summary: null,
  recordingUrl: null,
  variables: {},
  metadata: null
})
