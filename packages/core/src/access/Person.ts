import * as Schema from "effect/Schema"
import { DatabaseId } from "../values/DatabaseId.ts"
import * as Text from "../values/Text.ts"
import type { MemberRole } from "./MemberRole.ts"

/** Database id of a member. */
export const MemberId = DatabaseId.pipe(Schema.brand("MemberId"))

/** Database id of a member. */
export type MemberId = typeof MemberId.Type

/** Database id of a session. */
export const SessionId = DatabaseId.pipe(Schema.brand("SessionId"))

/** Database id of a session. */
export type SessionId = typeof SessionId.Type

/** The id that a program gives to one of its own users: 1 to 200 characters. */
export const HostUserId = Text.between(1, 200)

/** The id that a program gives to one of its own users. */
export type HostUserId = typeof HostUserId.Type

/** A person who uses the dashboard of an account: a member, or a user of the program that embeds the dashboard. */
export interface Person {
  /** The member. Null for a user of the program. */
  readonly memberId: MemberId | null
  /** The id of the user in the program. Null for a member, and for a user whom the program did not name. */
  readonly userId: HostUserId | null
  /** The session of the person. Null when the program has found the person itself. */
  readonly sessionId: SessionId | null
  /** The name that other people see. It may be empty for a user of the program. */
  readonly name: string
  readonly role: MemberRole
  /** Whether the person is the operator of the installation, who looks after all accounts (D-OP-1). Absent: no. */
  readonly isOperator?: boolean | undefined
}
