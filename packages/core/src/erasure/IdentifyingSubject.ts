import * as Effect from "effect/Effect"
import { erasedNumber } from "../call/ErasedCall.ts"
import { isAnonymous } from "../call/InboundNumber.ts"
import type { ContactId } from "../contact/Contact.ts"
import { ContactStore } from "../contact/ContactStore.ts"
import type { PhoneNumber } from "../values/PhoneNumber.ts"
import { ContactRecordStore } from "./ContactRecordStore.ts"
import type { ErasureSubject } from "./ErasureSubject.ts"
import { isWritingOf } from "./WrittenNumber.ts"

/** How many texts one query returns. */
const examined = 500

/** Makes the functions that find out what identifies a person. */
export const make = Effect.gen(function* () {
  const contacts = yield* ContactStore
  const records = yield* ContactRecordStore

  /**
   * Adds the texts by which events of the account name one of the person's numbers, because the number of an event is a free
   * text (D-ERASE-9). It examines every such text of the account, {@link examined} in a query.
   */
  const withWritings = Effect.fnUntraced(function* (subject: ErasureSubject) {
    const { accountId, numbers } = subject
    const writings: Array<string> = []
    let after: string | null = null
    while (numbers.length > 0) {
      const texts: ReadonlyArray<string> = yield* records.writtenNumbers(accountId, after, examined)
      writings.push(...texts.filter((text) => numbers.some((number) => number !== text && isWritingOf(number, text))))
      if (texts.length < examined) break
      after = texts.at(-1) ?? null
      yield* Effect.yieldNow
    }
    return { ...subject, writings } satisfies ErasureSubject
  })

  /**
   * Returns the person with the numbers and addresses that identify it: those that no other contact of the account has,
   * without numbers that stand for a withheld one. A call or an event that has another number, and no contact, may be about
   * another person (D-ERASE-8).
   */
  const identifying = Effect.fnUntraced(function* ({
    accountId,
    contactId,
    emails,
    numbers,
    writings
  }: ErasureSubject) {
    const isAlone = (ids: ReadonlyArray<ContactId>): boolean => ids.every((id) => id === contactId)
    const isOwnNumber = (number: PhoneNumber) =>
      isAnonymous(number) || number === erasedNumber
        ? Effect.succeed(false)
        : Effect.map(contacts.idsByNumber(accountId, number), isAlone)
    const subject: ErasureSubject = {
      accountId,
      contactId,
      numbers: yield* Effect.filter(numbers, isOwnNumber),
      writings,
      emails: yield* Effect.filter(emails, (email) => Effect.map(contacts.idsByEmail(accountId, email), isAlone))
    }
    return subject
  })

  return { identifying, withWritings }
})
