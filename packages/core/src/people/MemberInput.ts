import * as Schema from "effect/Schema"
import { MemberRole } from "../access/MemberRole.ts"
import { HostUserId, MemberId } from "../access/Person.ts"
import { EmailAddress } from "../values/EmailAddress.ts"
import * as Page from "../values/Page.ts"
import * as Text from "../values/Text.ts"

/** The name of a person. */
const Name = Text.filled(200)

/** The member to create. */
export const CreateMember = Schema.Struct({
  email: EmailAddress,
  name: Name,
  role: MemberRole,
  /** Whether the member is mailed a link with which to sign in. The default is false. */
  sendLink: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
})

/** The member to create. */
export type CreateMember = typeof CreateMember.Type

/** The changes of a member. An absent field stays as it is. */
export const PatchMember = Schema.Struct({
  name: Schema.optionalKey(Name),
  role: Schema.optionalKey(MemberRole)
})

/** The changes of a member. */
export type PatchMember = typeof PatchMember.Type

/** The longest time for which a link can be used, in minutes: 7 days. */
export const maxLinkMinutes = 10_080

/** The time for which a link can be used that states none, in minutes. */
export const defaultLinkMinutes = 15

/**
 * The sign-in link to create: for a member of the account, or with a role for a user of the program that embeds the
 * dashboard. Null counts as absent.
 */
export const CreateSignInLink = Schema.Struct({
  memberId: Schema.optionalKey(Schema.NullOr(MemberId)),
  role: Schema.optionalKey(Schema.NullOr(MemberRole)),
  /** The name of the user, which other people see. Only with `role`. */
  name: Schema.optionalKey(Schema.NullOr(Name)),
  /** The id of the user in the program. Only with `role`. */
  userId: Schema.optionalKey(Schema.NullOr(HostUserId)),
  /** For how many minutes the link can be used. The default is 15. */
  expiresInMinutes: Schema.optionalKey(
    Schema.NullOr(
      Schema.Int.check(
        Schema.isBetween(
          { minimum: 1, maximum: maxLinkMinutes },
          { description: `a whole number of minutes from 1 to ${maxLinkMinutes}` }
        )
      )
    )
  )
})

/** The sign-in link to create. */
export type CreateSignInLink = typeof CreateSignInLink.Type

/** The sign-in link to create for the operator of the installation. */
export const CreateOperatorLink = Schema.Struct({
  /** The name of the operator, which other people see. The default is "Operator". */
  name: CreateSignInLink.fields.name,
  expiresInMinutes: CreateSignInLink.fields.expiresInMinutes
})

/** The sign-in link to create for the operator of the installation. */
export type CreateOperatorLink = typeof CreateOperatorLink.Type

/** Selects a page of sessions. */
export const SessionQuery = Schema.Struct({
  /** Only the sessions of this member. */
  memberId: Schema.optional(MemberId),
  ...Page.PageQuery.fields
})

/** Selects a page of sessions. */
export type SessionQuery = typeof SessionQuery.Type

/** Which sessions to end: those of a member, or all of the account. */
export const EndSessions = Schema.Struct({ memberId: Schema.optionalKey(Schema.NullOr(MemberId)) })

/** Which sessions to end. */
export type EndSessions = typeof EndSessions.Type
