import type { Member } from "../access/Member.ts"
import { type MemberRole, permissionsOf } from "../access/MemberRole.ts"
import type { MemberId } from "../access/Person.ts"

/**
 * Returns whether an account still has an owner once a member has another role, or null once the member is removed. An account
 * without an owner needs none (D-MEM-4).
 */
export const keepsOwner = (
  members: ReadonlyArray<Pick<Member, "id" | "role">>,
  id: MemberId,
  next: MemberRole | null
): boolean => {
  const isOwner = (role: MemberRole | null) => role === "owner"
  return (
    !members.some(({ role }) => isOwner(role)) ||
    members.some((member) => isOwner(member.id === id ? next : member.role))
  )
}

/** Returns whether a role has a permission that another one lacks. */
export const isRaised = (before: MemberRole, after: MemberRole): boolean => {
  const had = new Set(permissionsOf(before))
  return permissionsOf(after).some((permission) => !had.has(permission))
}
