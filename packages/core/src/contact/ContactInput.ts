import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { TeamId } from "../access/Team.ts"
import { EmailAddress } from "../values/EmailAddress.ts"
import { shallow } from "../values/JsonSize.ts"
import * as JsonSize from "../values/JsonSize.ts"
import { PhoneNumber } from "../values/PhoneNumber.ts"
import * as Text from "../values/Text.ts"
import * as Wire from "../values/Wire.ts"
import { ContactContext, ContactNumberId } from "./Contact.ts"
import { maxPhoneNumbers, maxTags } from "./ContactLimits.ts"

export { maxPhoneNumbers, maxTags }

const Context = ContactContext.check(JsonSize.withMaxBytes(JsonSize.maxStoredBytes), shallow)

const Website = Text.matching(
  0,
  2_048,
  String.raw`^[Hh][Tt][Tt][Pp][Ss]?://(?:[^\s\x00/?#@:[\]]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?(?:[/?#][^\s\x00]*)?$`,
  "an absolute http or https URL"
)

const Label = Text.between(1, 50)

/** The fields that a PATCH clears with null. */
const clearable = {
  firstName: Text.upTo(100),
  lastName: Text.upTo(100),
  email: EmailAddress,
  company: Text.upTo(200),
  website: Website,
  address: Text.upTo(500),
  city: Text.upTo(100),
  state: Text.upTo(100),
  zipCode: Text.upTo(20),
  country: Text.upTo(100),
  teamId: TeamId
}

/** The fields that a PATCH cannot clear. */
const plain = {
  status: Label,
  stage: Label,
  tags: Schema.Array(Text.filled(100)).check(Schema.isMaxLength(maxTags)),
  customContext: Context,
  industryContext: Context
}

// It is stated, so that a caller may send the numbers that it has read.
const Ignored = Schema.Json.annotate({ description: "ignored, because every number of a PUT is new" })

const phoneType = Text.upTo(50)
const flags = { primary: Schema.Boolean, doNotCall: Schema.Boolean }

const orNull = Struct.map(Schema.NullOr)
const optional = Struct.map(Schema.optionalKey)

/**
 * A phone number in a PUT or a create, in snake_case when encoded. `phoneNumber` is required and has E.164 form
 * (C-2.3-4). An `id` is ignored, and null counts as absent (D-CON-7).
 */
export const PhoneNumberPut = Wire.snakeCase(
  Schema.Struct({
    id: Schema.optionalKey(Ignored),
    phoneNumber: PhoneNumber,
    ...optional(orNull({ phoneType, ...flags }))
  })
)

/** A phone number in a PUT or a create. */
export type PhoneNumberPut = typeof PhoneNumberPut.Type

/**
 * A phone number in a PATCH, in snake_case when encoded (C-4.3-4). `phoneNumber` is required here too (C-2.3-4).
 *
 * With an `id` the entry changes the contact's number with that id. Fields of the number that the entry omits keep their
 * values. Without an `id` the entry is a new number.
 */
export const PhoneNumberPatch = Wire.snakeCase(
  Schema.Struct({
    phoneNumber: PhoneNumber,
    ...optional({ id: ContactNumberId, phoneType: Schema.NullOr(phoneType), ...flags })
  })
)

/** A phone number in a PATCH. */
export type PhoneNumberPatch = typeof PhoneNumberPatch.Type

/**
 * The body of a PUT (C-2.3-1, C-4.3-1). Every field is optional, and null counts as absent (D-HTTP-4).
 *
 * Names, city, state, country and a tag have at most 100 characters, a company 200, and an address 500. An e-mail address
 * has at most 254, a website 2,048 and a zip code 20. Status, stage and phone type have at most 50.
 *
 * An e-mail address, a website, a status, a stage and a tag cannot be empty. Other texts can. Of equal tags one is stored.
 */
export const PutContact = Schema.Struct(
  optional(
    orNull({
      ...clearable,
      ...plain,
      phoneNumbers: Schema.Array(PhoneNumberPut).check(Schema.isMaxLength(maxPhoneNumbers))
    })
  )
)

/** The body of a PUT. */
export type PutContact = typeof PutContact.Type

/** The body of a create. It has the same fields as a PUT. */
export const CreateContact = PutContact

/** The body of a create. */
export type CreateContact = PutContact

/**
 * The body of a PATCH (C-4.3-2). An absent field keeps its value. Null clears the team and most texts, and is invalid
 * for every other field (D-HTTP-3).
 */
export const PatchContact = Schema.Struct(
  optional({
    ...orNull(clearable),
    ...plain,
    phoneNumbers: Schema.Array(PhoneNumberPatch).check(Schema.isMaxLength(maxPhoneNumbers))
  })
)

/** The body of a PATCH. */
export type PatchContact = typeof PatchContact.Type

/** The filters of the list of contacts. A contact must match all of them (D-CON-2). */
export const ContactQuery = Schema.Struct({
  /** A part of the full name, of the e-mail address or of the company. */
  search: Schema.optional(Text.searched),
  /** The contact has exactly this number. */
  phoneNumber: Schema.optional(PhoneNumber),
  tag: Schema.optional(Text.searched),
  status: Schema.optional(Text.searched),
  stage: Schema.optional(Text.searched),
  teamId: Schema.optional(TeamId)
})

/** The filters of the list of contacts. */
export type ContactQuery = typeof ContactQuery.Type
