import type { CallOptions, JsonObject, List, PageQuery, TeamRef } from "./common.ts"

/** A phone number of a contact. */
export interface ContactNumber {
  readonly id: number
  /** In E.164 form: `+12025550123`. */
  readonly phoneNumber: string
  readonly phoneType: string | null
  readonly primary: boolean
  /** Whether the number is on the do-not-call list of the contact's owner. */
  readonly doNotCall: boolean
}

/** A person whom an account calls. */
export interface Contact {
  readonly id: number
  readonly accountId: number
  readonly firstName: string | null
  readonly lastName: string | null
  readonly email: string | null
  readonly company: string | null
  readonly website: string | null
  readonly address: string | null
  readonly city: string | null
  readonly state: string | null
  readonly zipCode: string | null
  readonly country: string | null
  readonly status: string
  readonly stage: string
  readonly team: TeamRef | null
  readonly tags: ReadonlyArray<string>
  /** The phone numbers in the order in which they were added. Exactly one is primary, unless the list is empty. */
  readonly phoneNumbers: ReadonlyArray<ContactNumber>
  readonly customContext: JsonObject
  readonly industryContext: JsonObject
  readonly lastCallDate: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** A phone number of a new contact, or of a contact that is replaced. Null counts as absent. */
export interface PutContactNumber {
  /** In E.164 form: `+12025550123`. */
  readonly phoneNumber: string
  readonly phoneType?: string | null | undefined
  readonly primary?: boolean | null | undefined
  readonly doNotCall?: boolean | null | undefined
}

/** A phone number of a change. With an `id` it changes that number, and without one it is a new number. */
export interface PatchContactNumber {
  /** In E.164 form: `+12025550123`. */
  readonly phoneNumber: string
  readonly id?: number | undefined
  readonly phoneType?: string | null | undefined
  readonly primary?: boolean | undefined
  readonly doNotCall?: boolean | undefined
}

/** The texts and the team of a contact as input. */
interface ContactTexts {
  readonly firstName?: string | null | undefined
  readonly lastName?: string | null | undefined
  readonly email?: string | null | undefined
  readonly company?: string | null | undefined
  readonly website?: string | null | undefined
  readonly address?: string | null | undefined
  readonly city?: string | null | undefined
  readonly state?: string | null | undefined
  readonly zipCode?: string | null | undefined
  readonly country?: string | null | undefined
  readonly teamId?: number | null | undefined
}

/** A contact that replaces the stored one. Every field is optional, and null counts as absent. */
export interface PutContact extends ContactTexts {
  readonly status?: string | null | undefined
  readonly stage?: string | null | undefined
  readonly tags?: ReadonlyArray<string> | null | undefined
  readonly customContext?: JsonObject | null | undefined
  readonly industryContext?: JsonObject | null | undefined
  readonly phoneNumbers?: ReadonlyArray<PutContactNumber> | null | undefined
}

/** The contact to create. */
export interface CreateContact extends PutContact {}

/** A change of a contact. An absent field keeps its value. Null clears the team and most texts. */
export interface PatchContact extends ContactTexts {
  readonly status?: string | undefined
  readonly stage?: string | undefined
  readonly tags?: ReadonlyArray<string> | undefined
  readonly customContext?: JsonObject | undefined
  readonly industryContext?: JsonObject | undefined
  readonly phoneNumbers?: ReadonlyArray<PatchContactNumber> | undefined
}

/** The filters of the list of contacts. A contact must match all of them. */
export interface ContactQuery {
  /** A part of the full name, of the e-mail address or of the company. */
  readonly search?: string | undefined
  /** The contact has exactly this number. */
  readonly phoneNumber?: string | undefined
  readonly tag?: string | undefined
  readonly status?: string | undefined
  readonly stage?: string | undefined
  readonly teamId?: number | undefined
}

/** The contacts that the caller sees: those of its account and of its teams. */
export interface Contacts {
  /** Adds a contact, and returns it. */
  readonly create: (input: CreateContact, options?: CallOptions) => Promise<Contact>
  /** Returns a contact. Rejects with `not_found` for a contact that the caller may not see. */
  readonly get: (id: number, options?: CallOptions) => Promise<Contact>
  /** Lists the contacts that match the filters. */
  readonly list: (query?: ContactQuery & PageQuery, options?: CallOptions) => List<Contact>
  /**
   * Replaces a contact, and returns it. Fields that are absent become empty, except for its phone numbers and contexts,
   * which follow the merge rules of the contract.
   */
  readonly put: (id: number, input: PutContact, options?: CallOptions) => Promise<Contact>
  /** Changes the given fields of a contact, merges its contexts, and returns it. */
  readonly patch: (id: number, patch: PatchContact, options?: CallOptions) => Promise<Contact>
  /** Removes a phone number from a contact. When it was the primary one, the first of the others becomes primary. */
  readonly deletePhoneNumber: (id: number, phoneNumberId: number, options?: CallOptions) => Promise<Contact>
  /** Deletes a contact. Only its owner may. */
  readonly delete: (id: number, options?: CallOptions) => Promise<void>
}

/** The filter of a do-not-call list. */
export interface DoNotCallQuery {
  /** Only this number, if it is on the list. */
  readonly phoneNumber?: string | undefined
}

/** The do-not-call list of the caller's account. Calls to its numbers are rejected with `do_not_call`. */
export interface DoNotCallLists {
  /** Lists the numbers, sorted. */
  readonly list: (query?: DoNotCallQuery & PageQuery, options?: CallOptions) => List<string>
  /** Adds at most 1,000 numbers in E.164 form. Returns those that were not on the list. */
  readonly add: (numbers: ReadonlyArray<string>, options?: CallOptions) => Promise<ReadonlyArray<string>>
  /** Removes at most 1,000 numbers. Returns those that were on the list. */
  readonly remove: (numbers: ReadonlyArray<string>, options?: CallOptions) => Promise<ReadonlyArray<string>>
}
