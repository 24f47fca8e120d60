import * as Result from "effect/Result"
import type { MemberRole } from "../access/MemberRole.ts"
import type { HostUserId, MemberId } from "../access/Person.ts"
import * as FieldProblems from "../values/FieldProblems.ts"
import { type FieldProblem, ValidationError } from "../values/ValidationError.ts"
import type { CreateSignInLink } from "./MemberInput.ts"

/** The person who signs in with a link: a member, or a user of the program. */
export type LinkOwner =
  | { readonly _tag: "Member"; readonly memberId: MemberId }
  | {
      readonly _tag: "User"
      readonly user: {
        readonly memberId: null
        readonly userId: HostUserId | null
        readonly name: string
        readonly role: MemberRole
      }
    }

const problem = (field: string, message: string): FieldProblem => ({ field, code: FieldProblems.invalid, message })

/**
 * Returns who signs in with a link. Fails when it is for both a member and a user, or for neither, and when it is for a member
 * and states a name or a user, which the member has already.
 */
export const read = ({ memberId, name, role, userId }: CreateSignInLink): Result.Result<LinkOwner, ValidationError> => {
  const isMember = memberId !== undefined && memberId !== null
  const hasRole = role !== undefined && role !== null
  if (!isMember && hasRole) {
    return Result.succeed({ _tag: "User", user: { memberId: null, userId: userId ?? null, name: name ?? "", role } })
  }
  if (!isMember) {
    return Result.fail(new ValidationError({ problems: [problem("member_id", "Expected either member_id or role")] }))
  }
  const [first, ...others] = Object.entries({ role, name, user_id: userId }).flatMap(([field, value]) =>
    value === undefined || value === null ? [] : [problem(field, "A link for a member has no such field")]
  )
  return first === undefined
    ? Result.succeed({ _tag: "Member", memberId })
    : Result.fail(new ValidationError({ problems: [first, ...others] }))
}
