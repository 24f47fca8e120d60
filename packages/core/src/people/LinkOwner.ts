import * as Result from "effect/Result"
import type { MemberId } from "../access/Person.ts"
import type { SignInLink } from "../access/Session.ts"
import * as FieldProblems from "../values/FieldProblems.ts"
import { type FieldProblem, ValidationError } from "../values/ValidationError.ts"
import type { CreateSignInLink } from "./MemberInput.ts"

/** The person of a link, as the link stores it. */
export type LinkPerson = Pick<SignInLink, "memberId" | "userId" | "name" | "role" | "isOperator">

/** The person who signs in with a link: a member, or a user of the program. */
export type LinkOwner =
  | { readonly _tag: "Member"; readonly memberId: MemberId }
  | { readonly _tag: "User"; readonly user: LinkPerson }

/** Returns the operator as the person of a link. */
export const operator = (name: string): LinkPerson => ({
  memberId: null,
  userId: null,
  name,
  role: "owner",
  isOperator: true
})

const problem = (field: string, message: string): FieldProblem => ({ field, code: FieldProblems.invalid, message })

/**
 * Returns who signs in with a link. Fails when it is for both a member and a user, or for neither, and when it is for a member
 * and states a name or a user, which the member has already.
 */
export const read = ({ memberId, name, role, userId }: CreateSignInLink): Result.Result<LinkOwner, ValidationError> => {
  const isMember = memberId !== undefined && memberId !== null
  const hasRole = role !== undefined && role !== null
  if (!isMember && hasRole) {
    const user = { memberId: null, userId: userId ?? null, name: name ?? "", role, isOperator: false }
    return Result.succeed({ _tag: "User", user })
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
