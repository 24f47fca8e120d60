import type { Scope } from "@frontdesk/core/access/Principal"
import * as Page from "@frontdesk/core/values/Page"
import * as Effect from "effect/Effect"
import * as Bindings from "./Bindings.ts"
import * as Column from "./Column.ts"
import type { Database } from "./Database.ts"
import type { RowSchema } from "./Decoder.ts"

/** A table whose rows belong to an account and may belong to a team, and how it is listed. */
export interface OwnedTable<S extends RowSchema> {
  readonly operation: string
  /** Its name; also what `row_count` counts its rows under. */
  readonly table: string
  /** The columns it is ordered by; an index of the account and one of the team begin with them. */
  readonly order: ReadonlyArray<string>
  readonly direction: "ASC" | "DESC"
  /** The column that `row_count` calls `type`; its `status` is one everywhere. */
  readonly type: string
  readonly row: S
  /** `SELECT … FROM table …` without `WHERE`. */
  readonly select: string
}

/** What narrows a list. */
export interface Narrowing {
  readonly teamId?: number | undefined
  readonly status?: string | undefined
  readonly type?: string | undefined
  /** Every other condition on the columns of the table; `owned` when the rows are those of the caller's own account. */
  readonly conditions: (bindings: Bindings.Bindings, owned: boolean) => ReadonlyArray<string>
}

/** Above this many teams their rows are read together and sorted, for SQLite takes 500 branches at most. */
const maxBranches = 100

/**
 * Reads pages of a table.
 *
 * One condition over both owners (`account_id = … OR team_id IN …`) would read and sort everything in the scope. So
 * each owner is a branch of its own, read in the order of its index, and the database merges the branches until the
 * page is full. The branches hold no row twice: those of teams leave out the account's own rows.
 *
 * The count of a list that nothing but team, status and type narrow is kept in `row_count`. Any other count reads the
 * index over the range that is asked: its cost grows with the rows in the range, not with those of the account.
 */
export const make = <S extends RowSchema>(database: Database["Service"], table: OwnedTable<S>) => {
  const rows = database.all(table.operation, table.row)
  const counted = database.one(table.operation, Column.Count)
  const ordered = (prefix: string) =>
    [...table.order, "id"].map((column) => `${prefix}${column} ${table.direction}`).join(", ")

  const countOf = (scope: Scope, narrowing: Narrowing) => {
    const bindings = Bindings.make()
    const branches = branchesOf(database, bindings, scope, narrowing)
    const isKept = branches.every(({ conditions }) => conditions.length === 0)
    const counts = branches.map(({ conditions, owner }) =>
      isKept
        ? `(SELECT coalesce(sum(total), 0) FROM row_count WHERE ${[`kind = '${table.table}'`, owner, ...facets(bindings, narrowing, "type")].join(" AND ")})`
        : `(SELECT count(*) FROM ${table.table} WHERE ${[owner, ...facets(bindings, narrowing, table.type), ...conditions].join(" AND ")})`
    )
    return counted(`SELECT CAST(${counts.join(" + ")} AS bigint) AS count`, bindings.values)
  }

  const itemsOf = (scope: Scope, narrowing: Narrowing, page: Page.PageRequest) => {
    const bindings = Bindings.make()
    const branches = branchesOf(database, bindings, scope, narrowing).map(
      ({ conditions, owner }) =>
        `SELECT ${[...table.order, "id"].join(", ")} FROM ${table.table} WHERE ${[owner, ...facets(bindings, narrowing, table.type), ...conditions].join(" AND ")}`
    )
    const limit = `LIMIT ${bindings.add(page.limit)} OFFSET ${bindings.add(Page.offset(page))}`
    const ids = `SELECT id FROM (${branches.join(" UNION ALL ")} ORDER BY ${ordered("")} ${limit}) AS page`
    return rows(
      `${table.select} WHERE ${table.table}.id IN (${ids}) ORDER BY ${ordered(`${table.table}.`)}`,
      bindings.values
    )
  }

  return Effect.fnUntraced(function* (scope: Scope, narrowing: Narrowing, page: Page.PageRequest) {
    const { count } = yield* countOf(scope, narrowing)
    // What is known to be empty is not looked for.
    const items = Page.offset(page) < count ? yield* itemsOf(scope, narrowing, page) : []
    return { items, count, page: page.page, limit: page.limit } satisfies Page.Page<S["Type"]>
  })
}

/** The conditions that `row_count` knows too. */
const facets = (
  bindings: Bindings.Bindings,
  { status, type }: Narrowing,
  typeColumn: string
): ReadonlyArray<string> => [
  ...(status === undefined ? [] : [`status = ${bindings.add(status)}`]),
  ...(type === undefined ? [] : [`${typeColumn} = ${bindings.add(type)}`])
]

/** The owners whose rows are read, each with its condition and those that narrow its rows. */
const branchesOf = (
  database: Database["Service"],
  bindings: Bindings.Bindings,
  scope: Scope,
  { conditions, teamId }: Narrowing
): ReadonlyArray<{ readonly owner: string; readonly conditions: ReadonlyArray<string> }> => {
  const narrowed = (owned: boolean) => conditions(bindings, owned)
  if (teamId !== undefined) {
    const team = `team_id = ${bindings.add(teamId)}`
    return scope.teamIds.some((id) => id === teamId)
      ? [{ owner: team, conditions: narrowed(false) }]
      : [{ owner: `account_id = ${bindings.add(scope.accountId)} AND ${team}`, conditions: narrowed(true) }]
  }
  const account = bindings.add(scope.accountId)
  const teamIds = [...new Set(scope.teamIds)]
  const teams =
    teamIds.length <= maxBranches
      ? teamIds.map((id) => `team_id = ${bindings.add(id)}`)
      : [`team_id IN ${database.dialect.numbers(bindings.add(JSON.stringify(teamIds)))}`]
  return [
    { owner: `account_id = ${account}`, conditions: narrowed(true) },
    ...teams.map((team) => ({ owner: `${team} AND account_id <> ${account}`, conditions: narrowed(false) }))
  ]
}
