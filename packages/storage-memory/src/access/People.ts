import type { AccountId } from "@frontdesk/core/access/Account"
import type { MemberId } from "@frontdesk/core/access/Person"
import type { Session } from "@frontdesk/core/access/Session"
import type { StepLimit } from "@frontdesk/core/background/Steps"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { State, WithDigest } from "../storage/State.ts"
import * as Table from "../storage/Table.ts"

/** What links and sessions have in common. */
type Row = WithDigest<Pick<Session, "accountId" | "memberId" | "name" | "role" | "expiresAt">> & { readonly id: number }

/**
 * Returns a link or a session as its store returns it: without the digest, and with the name and the role that its
 * member has at present.
 */
export const shown = <A extends Row>(state: State, given: A): Omit<A, "digest"> => {
  const { digest: _, ...row } = given
  return row.memberId === null
    ? row
    : Option.match(Table.get(state.members, row.memberId), {
        onNone: () => row,
        onSome: ({ member: { name, role } }) => ({ ...row, name, role })
      })
}

/** Returns the predicate for the rows of a member, or with null for those without a member. */
export const ofMember =
  (accountId: AccountId, memberId: MemberId | null) =>
  (row: Row): boolean =>
    row.accountId === accountId && row.memberId === memberId

/** Returns the table without the given rows. */
export const without = <A extends Row>(table: Table.Table<A>, rows: ReadonlyArray<A>): Table.Table<A> =>
  Table.removeAll(
    table,
    rows.map(({ id }) => id)
  )

/** Returns the rows that satisfy a predicate and expire after `now`, except the newest `count`. */
export const exceptNewest = <A extends Row>(
  table: Table.Table<A>,
  predicate: (row: A) => boolean,
  count: number,
  now: DateTime.Utc
): ReadonlyArray<A> => {
  const rows = Table.where(table, (row) => predicate(row) && DateTime.isGreaterThan(row.expiresAt, now))
  return rows.slice(0, Math.max(0, rows.length - count))
}

/** Returns the rows that a sweep deletes: expired ones, the earliest first. */
export const expired = <A extends Row>(table: Table.Table<A>, now: DateTime.Utc, limit: StepLimit): ReadonlyArray<A> =>
  Table.where(table, ({ expiresAt }) => DateTime.isLessThanOrEqualTo(expiresAt, now))
    .toSorted((a, b) => DateTime.Order(a.expiresAt, b.expiresAt) || a.id - b.id)
    .slice(0, limit.rows)
