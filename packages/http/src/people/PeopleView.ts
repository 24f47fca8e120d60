import { Account } from "@frontdesk/core/access/Account"
import { ApiKeyId } from "@frontdesk/core/access/ApiKey"
import type { Member } from "@frontdesk/core/access/Member"
import { MemberRole } from "@frontdesk/core/access/MemberRole"
import { CallerPermission } from "@frontdesk/core/access/Permission"
import { HostUserId, MemberId, SessionId } from "@frontdesk/core/access/Person"
import type { Principal } from "@frontdesk/core/access/Principal"
import { Session, SignInLink } from "@frontdesk/core/access/Session"
import { Timestamp } from "@frontdesk/core/values/Timestamp"
import * as Wire from "@frontdesk/core/values/Wire"
import * as Schema from "effect/Schema"

const memberFields = {
  id: MemberId,
  email: Schema.String,
  name: Schema.String,
  role: MemberRole,
  createdAt: Timestamp,
  lastSignInAt: Schema.NullOr(Timestamp)
}

/** The JSON of a member. */
export const MemberView = Wire.snakeCase(Schema.Struct(memberFields)).annotate({ identifier: "Member" })

/** Returns the view of a member. */
export const memberView = ({ createdAt, email, id, lastSignInAt, name, role }: Member): typeof MemberView.Type => ({
  id,
  email,
  name,
  role,
  createdAt,
  lastSignInAt
})

/** The JSON of the answer to a change of a member. */
export const MemberChanged = Wire.snakeCase(Schema.Struct({ ...memberFields, message: Schema.String })).annotate({
  identifier: "MemberChanged"
})

const { name } = Session.fields

const who = { memberId: Schema.NullOr(MemberId), userId: Schema.NullOr(HostUserId), name, role: MemberRole }

/** The JSON of a session, without its token. */
export const SessionView = Wire.snakeCase(
  Schema.Struct({
    id: SessionId,
    ...who,
    isOperator: Session.fields.isOperator,
    /** Whether it is the session of this request. */
    isCurrent: Schema.Boolean,
    createdAt: Timestamp,
    lastUsedAt: Timestamp,
    expiresAt: Timestamp,
    endsAt: Timestamp
  })
).annotate({ identifier: "Session" })

/** Returns the view of a session for a caller. */
export const sessionView = (session: Session, { person }: Principal["Service"]): typeof SessionView.Type => ({
  id: session.id,
  memberId: session.memberId,
  userId: session.userId,
  name: session.name,
  role: session.role,
  isOperator: session.isOperator,
  isCurrent: person?.sessionId === session.id,
  createdAt: session.createdAt,
  lastUsedAt: session.lastUsedAt,
  expiresAt: session.expiresAt,
  endsAt: session.endsAt
})

const linkFields = {
  id: SignInLink.fields.id,
  ...who,
  isOperator: SignInLink.fields.isOperator,
  createdAt: Timestamp,
  expiresAt: Timestamp
}

/** The JSON of an open sign-in link, without its token. */
export const SignInLinkView = Wire.snakeCase(Schema.Struct(linkFields)).annotate({ identifier: "SignInLink" })

/** Returns the view of a sign-in link. */
export const signInLinkView = (link: SignInLink): typeof SignInLinkView.Type => ({
  id: link.id,
  memberId: link.memberId,
  userId: link.userId,
  name: link.name,
  role: link.role,
  isOperator: link.isOperator,
  createdAt: link.createdAt,
  expiresAt: link.expiresAt
})

/** The JSON of a sign-in link with its URL, which only the create returns. */
export const SignInLinkIssued = Wire.snakeCase(
  Schema.Struct({
    ...linkFields,
    /** The link that signs in. Without a public URL it names this machine, or is only a path when the server does not know its port. Null in a replay under an `Idempotency-Key`. */
    url: Schema.NullOr(Schema.String),
    message: Schema.String
  })
).annotate({ identifier: "SignInLinkWithUrl" })

/** The JSON of the caller of a request. */
export const CallerView = Wire.snakeCase(
  Schema.Struct({
    accountId: Account.fields.id,
    accountName: Account.fields.name,
    /** The key of the request. Null when a person or a program calls. */
    apiKeyId: Schema.NullOr(ApiKeyId),
    /** The person who is signed in to the dashboard. Null when a key or a program calls. */
    person: Schema.NullOr(
      Wire.snakeCase(Schema.Struct({ ...who, sessionId: Schema.NullOr(SessionId) })).annotate({ identifier: "Person" })
    ),
    permissions: Schema.Array(CallerPermission),
    /** Whether the caller changes nothing, whatever its permissions are. */
    isReadOnly: Schema.Boolean
  })
).annotate({ identifier: "Caller" })

/** Returns the view of the caller. */
export const callerView = ({
  account,
  apiKeyId,
  isReadOnly,
  permissions,
  person
}: Principal["Service"]): typeof CallerView.Type => ({
  accountId: account.id,
  accountName: account.name,
  apiKeyId,
  person: person ?? null,
  permissions: [...permissions],
  isReadOnly: isReadOnly ?? false
})
