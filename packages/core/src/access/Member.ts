import * as Schema from "effect/Schema"
import { EmailAddress } from "../values/EmailAddress.ts"
import { AccountId } from "./Account.ts"
import { MemberRole } from "./MemberRole.ts"
import { MemberId } from "./Person.ts"

/** A person who may sign in to the dashboard of an account. */
export const Member = Schema.Struct({
  id: MemberId,
  accountId: AccountId,
  /** The address to which sign-in links are mailed. No other member of the account has the same mailbox (D-MEM-3). */
  email: EmailAddress,
  name: Schema.String,
  role: MemberRole,
  createdAt: Schema.DateTimeUtc,
  /** When the member last signed in. Null before the first time. */
  lastSignInAt: Schema.NullOr(Schema.DateTimeUtc)
})

/** A person who may sign in to the dashboard of an account. */
export type Member = typeof Member.Type
