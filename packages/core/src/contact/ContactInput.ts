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

/** How many tags a contact may have. */
export const maxTags = 100

/** How many phone numbers a contact may have. */
export const maxPhoneNumbers = 100

const Context = ContactContext.check(JsonSize.withMaxBytes(JsonSize.maxStoredBytes), shallow)

const Website = Text.upTo(2_048).check(
  Schema.isPattern(/^https?:\/\/(?:[^\s/?#@:[\]]+|\[[\da-f:.]+\])(?::\d{1,5})?(?:[/?#]\S*)?$/i, {
    description: "an absolute http or https URL"
  })
)

const Label = Text.between(1, 50)

/** What a PATCH clears with null. */
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

/** What a PATCH may not clear. */
const plain = {
  status: Label,
  stage: Label,
  tags: Schema.Array(Text.filled(100)).check(Schema.isMaxLength(maxTags)),
  customContext: Context,
  industryContext: Context
}

const phoneType = Text.upTo(50)
const flags = { primary: Schema.Boolean, doNotCall: Schema.Boolean }

const orNull = Struct.map(Schema.NullOr)
const optional = Struct.map(Schema.optionalKey)

/** A phone number of a PUT or a create: an `id` is ignored, null is absent (D-CON-7). Encoded in snake_case. */
export const PhoneNumberPut = Wire.snakeCase(
  Schema.Struct({ phoneNumber: PhoneNumber, ...optional(orNull({ phoneType, ...flags })) })
)

/** A phone number of a PUT or a create. */
export type PhoneNumberPut = typeof PhoneNumberPut.Type

/**
 * A phone number of a PATCH (C-4.3-4). Encoded in snake_case.
 *
 * With `id` it changes that number of the contact, and what is absent stays; without it is a new number.
 */
export const PhoneNumberPatch = Wire.snakeCase(
  Schema.Struct({
    phoneNumber: PhoneNumber,
    ...optional({ id: ContactNumberId, phoneType: Schema.NullOr(phoneType), ...flags })
  })
)

/** A phone number of a PATCH. */
export type PhoneNumberPatch = typeof PhoneNumberPatch.Type

/**
 * The body of a full replace (C-4.3-1): everything is optional, null counts as absent (D-HTTP-4).
 *
 * Texts are limited to 100 characters (names, city, state, country, a tag), 200 (company), 254 (e-mail), 2,048
 * (website), 500 (address), 20 (zip code) and 50 (status, stage, phone type). Empty text is text; an e-mail address, a
 * website, a status, a stage and a tag cannot be empty. A tag given twice is kept once.
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

/** The body of a full replace. */
export type PutContact = typeof PutContact.Type

/** The body of a create: the fields of a full replace. */
export const CreateContact = PutContact

/** The body of a create. */
export type CreateContact = PutContact

/**
 * The body of a partial change (C-4.3-2): what is absent stays; null clears a text or the team and is refused
 * elsewhere (D-HTTP-3).
 */
export const PatchContact = Schema.Struct(
  optional({
    ...orNull(clearable),
    ...plain,
    phoneNumbers: Schema.Array(PhoneNumberPatch).check(Schema.isMaxLength(maxPhoneNumbers))
  })
)

/** The body of a partial change. */
export type PatchContact = typeof PatchContact.Type

/** Which contacts are listed; each filter given narrows the list (D-CON-2). */
export const ContactQuery = Schema.Struct({
  /** Part of the full name, e-mail address or company. */
  search: Schema.optional(Text.searched),
  /** A contact with exactly this number. */
  phoneNumber: Schema.optional(PhoneNumber),
  tag: Schema.optional(Text.searched),
  status: Schema.optional(Text.searched),
  stage: Schema.optional(Text.searched),
  teamId: Schema.optional(TeamId)
})

/** Which contacts are listed. */
export type ContactQuery = typeof ContactQuery.Type
