import * as Schema from "effect/Schema"

/** The account has no member with the id (404 `not_found`). */
export class MemberNotFound extends Schema.TaggedError<MemberNotFound>("@frontdesk/core/people/MemberNotFound")(
  "MemberNotFound",
  { memberId: Schema.Int }
) {}

/** The account has a member with the mailbox of this address (D-MEM-3: 409 `member_exists`). */
export class MemberExists extends Schema.TaggedError<MemberExists>("@frontdesk/core/people/MemberExists")(
  "MemberExists",
  {}
) {}

/** The member is the only owner of its account, which must keep one (D-MEM-4: 409 `last_owner`). */
export class LastOwner extends Schema.TaggedError<LastOwner>("@frontdesk/core/people/LastOwner")("LastOwner", {
  memberId: Schema.Int
}) {}

/** This server mails no sign-in links, because it has no mail server or no public URL (D-MEM-9: 409 `mail_not_offered`). */
export class MailNotOffered extends Schema.TaggedError<MailNotOffered>("@frontdesk/core/people/MailNotOffered")(
  "MailNotOffered",
  {}
) {}

/** The account has no session with the id (404 `not_found`). */
export class SessionNotFound extends Schema.TaggedError<SessionNotFound>("@frontdesk/core/people/SessionNotFound")(
  "SessionNotFound",
  { sessionId: Schema.Int }
) {}

/** The account has no open sign-in link with the id (404 `not_found`). */
export class SignInLinkNotFound extends Schema.TaggedError<SignInLinkNotFound>(
  "@frontdesk/core/people/SignInLinkNotFound"
)("SignInLinkNotFound", { signInLinkId: Schema.Int }) {}

/** The sign-in link is unknown, was used, was deleted, or has expired. The error does not reveal which (D-MEM-5). */
export class SignInLinkInvalid extends Schema.TaggedError<SignInLinkInvalid>(
  "@frontdesk/core/people/SignInLinkInvalid"
)("SignInLinkInvalid", {}) {}
