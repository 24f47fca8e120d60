import type { AccountId } from "../access/Account.ts"
import type { Contact, ContactId } from "../contact/Contact.ts"
import type { PhoneNumber } from "../values/PhoneNumber.ts"
import { isWritingOf } from "./WrittenNumber.ts"

/** The person whose data is erased: the contact, and what other records call the person. */
export interface ErasureSubject {
  readonly accountId: AccountId
  readonly contactId: ContactId
  readonly numbers: ReadonlyArray<PhoneNumber>
  /** The texts other than {@link numbers} by which calendar events of the account name one of them. */
  readonly writings: ReadonlyArray<string>
  /** The e-mail address in lower case, or none. */
  readonly emails: ReadonlyArray<string>
}

/** Returns the person of a contact. */
export const of = ({ accountId, email, id, phoneNumbers }: Contact): ErasureSubject => ({
  accountId,
  contactId: id,
  numbers: phoneNumbers.map(({ phoneNumber }) => phoneNumber),
  writings: [],
  emails: email === null ? [] : [email.toLowerCase()]
})

/** Returns whether a cell has one of the person's numbers, written in any way, or the e-mail address. */
export const occursIn = ({ emails, numbers }: ErasureSubject, cells: Iterable<string>): boolean => {
  const digits = numbers.map((number) => number.slice(1))
  for (const cell of cells) {
    const [text, ofCell] = [cell.toLowerCase(), cell.replace(/\D/g, "")]
    if (emails.some((email) => text.includes(email)) || digits.some((number) => ofCell.includes(number))) return true
    if (numbers.some((number) => isWritingOf(number, cell))) return true
  }
  return false
}
