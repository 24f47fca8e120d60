import * as Effect from "effect/Effect"
import { isAnonymous } from "../call/InboundNumber.ts"
import type { ContactId } from "../contact/Contact.ts"
import type { ContactStore } from "../contact/ContactStore.ts"
import type { PhoneNumber } from "../values/PhoneNumber.ts"
import { erasedNumber } from "../call/ErasedCall.ts"
import type { ErasureSubject } from "./ErasureSubject.ts"

/**
 * Returns the person with the numbers and addresses that identify it: those that no other contact of the account has, without
 * numbers that stand for a withheld one. A call or an event that has another number, and no contact, may be about another
 * person (D-ERASE-8).
 */
export const identifying = Effect.fnUntraced(function* (
  contacts: ContactStore["Service"],
  { accountId, contactId, emails, numbers }: ErasureSubject
) {
  const isAlone = (ids: ReadonlyArray<ContactId>): boolean => ids.every((id) => id === contactId)
  const isOwnNumber = (number: PhoneNumber) =>
    isAnonymous(number) || number === erasedNumber
      ? Effect.succeed(false)
      : Effect.map(contacts.idsByNumber(accountId, number), isAlone)
  const subject: ErasureSubject = {
    accountId,
    contactId,
    numbers: yield* Effect.filter(numbers, isOwnNumber),
    emails: yield* Effect.filter(emails, (email) => Effect.map(contacts.idsByEmail(accountId, email), isAlone))
  }
  return subject
})
