import type { Scope } from "@frontdesk/core/access/Scope"
import * as Page from "@frontdesk/core/values/Page"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Schema from "effect/Schema"
import { type Bindings, makeBindings } from "./WriteStatements.ts"
import * as Column from "./Column.ts"
import type { Database } from "./Database.ts"
import * as LongRead from "./LongRead.ts"
import type { RowSchema } from "./RowReader.ts"
import * as OwnedRow from "./OwnedRow.ts"

/** A table whose rows belong to an account and may belong to a team, and how it is listed. */
export interface OwnedTable<S extends RowSchema> {
  /** The method of the store that errors name. */
  readonly operation: string
  /** The name of the table, which is also its `kind` in `row_count`. */
  readonly table: string
  /** The columns of the order, before the id. An index by account and one by team have them as their next columns. */
  readonly order: ReadonlyArray<string>
  readonly direction: "ASC" | "DESC"
  /** The column that `row_count` counts as `type`. Every table also has a column `status`, which is counted too. */
  readonly type: string
  readonly row: S
  /**
   * Returns `SELECT … FROM table …` without `WHERE`.
   *
   * @param inScope returns the condition that a row of a joined table is in the scope of the list
   * @param large returns how a large column is read
   */
  readonly select: (inScope: (alias: string) => string, large: LargeColumn) => string
  /**
   * Whether an index has the rows of each single condition in the order of the list. The database then prefers that index
   * (`Dialect.rare`). If not, a condition may examine all rows of the owner.
   */
  readonly isIndexed: boolean
  /** The large columns, whose total size a page limits. Default: none. */
  readonly largeColumns?: ReadonlyArray<string>
}

/**
 * Returns the expression that reads a large column of a table. In rows that omit their large columns it reads
 * `otherwise`.
 */
export type LargeColumn = (table: string, column: string, otherwise: string) => string

/** Reads a large column of every row. */
export const whole: LargeColumn = (table, column) => `${table}.${column}`

/** The filters of a list. */
export interface ListFilter {
  readonly teamId?: number | undefined
  readonly status?: string | undefined
  readonly type?: string | undefined
  /**
   * Returns how the rows of an owner are found: the alternatives of the condition on the owner, with the conditions that
   * bound the first column of the order. A row meets at most one of them. A look-up of ids may take the place of the
   * condition on the owner, and then contains it. Default: the condition on the owner alone.
   */
  readonly ranges?: (bindings: Bindings, owner: string) => ReadonlyArray<ReadonlyArray<string>>
  /** Whether {@link ranges} examines rows that are not in the list, or not in its order. Default: false. */
  readonly isLookUp?: boolean
  /**
   * Returns all other conditions on the columns of the table. `owner` is the condition on `account_id` and `team_id` to
   * which they are added.
   */
  readonly conditions: (bindings: Bindings, owner: string) => ReadonlyArray<string>
}

/** The conditions on the rows of one owner, an account or a team, without those on status and type. */
type Branch = ReadonlyArray<string>

/**
 * How many bytes of large columns one query reads at most, unless it reads a single row. Other fibers may run after
 * each query, because reading a whole page at once takes ten milliseconds.
 */
const partBytes = 262_144

const Size = Schema.Struct({ id: Schema.Int, bytes: Schema.Int })

/**
 * The maximum number of teams with branches of their own. The rows of more teams are read together and sorted, because
 * SQLite allows at most 500 branches.
 */
const maxBranches = 100

/**
 * Returns a function that reads a page of a table.
 *
 * A single condition on both owners (`account_id = … OR team_id IN …`) would read and sort every row of the scope.
 * Instead, each owner is a branch that is read in the order of its index, and the database merges the branches until
 * the page is full. The account's own rows in a team are in two branches, and the merge removes the duplicates.
 * Excluding them from the team's branch would mean reading past all of them, which may be nearly all rows.
 *
 * Counts do exclude them. So do lists with further conditions: an index of the account finds the own rows, and every
 * row of the team must be examined anyway.
 *
 * The count of a list that only filters by team, status and type is stored in `row_count` (D-STO-7). Any other count
 * reads the index over the requested range. Its cost grows with the rows in the range, not with the rows of the
 * account.
 *
 * A count or a page that may examine more than `LongRead.maxExamined` rows is a long read (D-LITE-10). A page examines
 * few rows if it is near the beginning, and an index has its rows in their order: with at most one filter, and without
 * rows of an owner that are left out. A count that could examine few rows is first asked whether it does.
 *
 * For a table with large columns, their sizes are read first, so that no more of them is read than a page may show
 * (D-PAGE-4). The rows are still measured as JSON (`Page.bounded`), because JSON text has more bytes, and the other
 * columns count too.
 */
export const make = <S extends RowSchema>(database: Database["Service"], table: OwnedTable<S>) => {
  const rows = database.readable(table.operation, table.row)
  const counted = database.one(table.operation, Column.Count)
  const sized = database.all(table.operation, Size)
  const ordered = (prefix: string) =>
    [...table.order, "id"].map((column) => `${prefix}${column} ${table.direction}`).join(", ")

  /** Returns whether an index has all rows of a list, or of each of its branches, in order and without others. */
  const isInOrder = (scope: Scope, filter: ListFilter): boolean => {
    if (filter.isLookUp === true) return false
    const bindings = makeBindings()
    const conditions = filter.conditions(bindings, "").length
    const branches = branchesOf(database, bindings, scope, filter).length
    const facetCount = facets(bindings, filter, table.type).length
    return facetCount + conditions <= 1 && (conditions === 0 || (table.isIndexed && branches === 1))
  }

  const countOf = (scope: Scope, filter: ListFilter) => {
    const bindings = makeBindings()
    const branches = branchesOf(database, bindings, scope, filter, true)
    const isStored = filter.isLookUp !== true && branches.every((conditions) => conditions.length === 1)
    const wheres = branches.map((conditions) =>
      [...conditions, ...facets(bindings, filter, isStored ? "type" : table.type)].join(" AND ")
    )
    const counts = wheres.map((where) =>
      isStored
        ? `(SELECT coalesce(sum(total), 0) FROM row_count WHERE kind = '${table.table}' AND ${where})`
        : `(SELECT count(*) FROM ${table.table} WHERE ${where})`
    )
    const all = counted(`SELECT CAST(${counts.join(" + ")} AS bigint) AS count`, bindings.values)
    if (isStored) return all
    const [where, ...others] = wheres
    if (others.length > 0 || !isInOrder(scope, filter)) return LongRead.by(scope.accountId)(all)
    const few = counted(
      `SELECT count(*) AS count FROM (SELECT id FROM ${table.table} WHERE ${where} LIMIT ${LongRead.probeRows}) AS counted`,
      bindings.values
    )
    return LongRead.unlessFew(scope.accountId, { few, all, rowsOf: ({ count }) => count })
  }

  /** Returns the condition that a row is on a page. */
  const isOnPage = (bindings: Bindings, scope: Scope, filter: ListFilter, page: Page.PageRequest) => {
    // The limit is part of the text: PostgreSQL would assume that a parameter is a tenth of all rows. In a large table
    // it would then plan each execution again, for its values (D-PG-17).
    const limit = `${page.limit}`
    const offset = page.page === 1 ? undefined : bindings.add(Page.offset(page))
    const bounds = offset === undefined ? `LIMIT ${limit}` : `LIMIT ${limit} OFFSET ${offset}`
    const branches = branchesOf(database, bindings, scope, filter).map(
      (conditions) =>
        `SELECT ${[...table.order, "id"].join(", ")} FROM ${table.table} WHERE ${[...conditions, ...facets(bindings, filter, table.type)].join(" AND ")}`
    )
    const maxRows = offset === undefined ? limit : `${limit} + CAST(${offset} AS bigint)`
    const merged =
      branches.length === 1
        ? branches.join("")
        : branches.map((branch) => database.dialect.branch(branch, ordered(""), maxRows)).join(" UNION ")
    return `${table.table}.id IN (SELECT id FROM (${merged} ORDER BY ${ordered("")} ${bounds}) AS page)`
  }

  const nothing = table.largeColumns === undefined ? { items: [] } : { items: [], truncated: [] }

  const order = `ORDER BY ${ordered(`${table.table}.`)}`

  /**
   * Returns the ids of a page in their order, each with the total size of its large columns. It does not read those
   * columns.
   */
  const sizesOf = (scope: Scope, filter: ListFilter, page: Page.PageRequest, columns: ReadonlyArray<string>) => {
    const bindings = makeBindings()
    const sizes = columns.map((column) => `coalesce(${database.dialect.textBytes(column)}, 0)`)
    const condition = isOnPage(bindings, scope, filter, page)
    return sized(
      `SELECT id, ${sizes.join(" + ")} AS bytes FROM ${table.table} WHERE ${condition} ${order}`,
      bindings.values
    )
  }

  const rowsOf = (scope: Scope, condition: (bindings: Bindings) => string, truncated: ReadonlyArray<number> = []) => {
    const bindings = makeBindings()
    const where = condition(bindings)
    const inScope = (alias: string) => {
      const [account, teams] = OwnedRow.params(scope).map(bindings.add)
      return OwnedRow.inScope(database.dialect, alias, account, teams)
    }
    const large: LargeColumn =
      truncated.length === 0
        ? whole
        : (of, column, otherwise) =>
            `CASE WHEN ${isOneOf(bindings, truncated)} THEN ${otherwise} ELSE ${of}.${column} END AS ${column}`
    return rows(`${table.select(inScope, large)} WHERE ${where} ${order}`, bindings.values)
  }

  const isOneOf = (bindings: Bindings, ids: ReadonlyArray<number>): string =>
    `${table.table}.id IN ${database.dialect.integers(bindings.add(JSON.stringify(ids)))}`

  /**
   * Returns the rows of a page. In a table with large columns, the page is found once, and its rows are then read by
   * id.
   */
  const itemsOf = Effect.fnUntraced(function* (scope: Scope, filter: ListFilter, page: Page.PageRequest) {
    const { largeColumns } = table
    const examinesFew = isInOrder(scope, filter) && Page.offset(page) + page.limit <= LongRead.maxExamined
    const find = examinesFew ? identity : LongRead.by(scope.accountId)
    if (largeColumns === undefined) {
      return { items: yield* find(rowsOf(scope, (bindings) => isOnPage(bindings, scope, filter, page))) }
    }
    const sizes = yield* find(sizesOf(scope, filter, page, largeColumns))
    let bytes = 0
    const truncated = sizes.filter((row) => (bytes += row.bytes) > Page.maxBytes).map(({ id }) => id)
    const items: Array<S["Type"]> = []
    for (const ids of partsOf(sizes)) {
      if (items.length > 0) yield* Effect.yieldNow
      items.push(...(yield* rowsOf(scope, (bindings) => isOneOf(bindings, ids), truncated)))
    }
    return { items, truncated }
  })

  /** Returns the filter with conditions that the database finds in their index, where each has one. */
  const preferringIndexes = (filter: ListFilter): ListFilter =>
    table.isIndexed
      ? { ...filter, conditions: (...given) => filter.conditions(...given).map(database.dialect.rare) }
      : filter

  return Effect.fnUntraced(function* (scope: Scope, given: ListFilter, page: Page.PageRequest) {
    const filter = preferringIndexes(given)
    const { count } = yield* countOf(scope, filter)
    // A page beyond the count is empty and needs no query.
    const found = Page.offset(page) < count ? yield* itemsOf(scope, filter, page) : nothing
    return { ...found, count, page: page.page, limit: page.limit } satisfies Page.Page<S["Type"]>
  })
}

/**
 * Splits the ids of a page, in order, into parts whose large columns have at most `partBytes` bytes together, or that
 * have one row.
 */
const partsOf = (sizes: ReadonlyArray<typeof Size.Type>): ReadonlyArray<ReadonlyArray<number>> => {
  const parts: Array<Array<number>> = []
  let [partSize, total] = [0, 0]
  for (const row of sizes) {
    total += row.bytes
    // A row beyond the size limit of the page is read without its large columns.
    const size = total > Page.maxBytes ? 0 : row.bytes
    const last = parts.at(-1)
    if (last === undefined || partSize + size > partBytes) {
      parts.push([row.id])
      partSize = size
    } else {
      last.push(row.id)
      partSize += size
    }
  }
  return parts
}

/** Returns the conditions on status and type, which apply to the table and to `row_count`. */
const facets = (bindings: Bindings, { status, type }: ListFilter, typeColumn: string): ReadonlyArray<string> => [
  ...(status === undefined ? [] : [`status = ${bindings.add(status)}`]),
  ...(type === undefined ? [] : [`${typeColumn} = ${bindings.add(type)}`])
]

/**
 * Returns the branches of a list, with its filters.
 *
 * @param isDisjoint whether no two branches may have the same row
 */
const branchesOf = (
  database: Database["Service"],
  bindings: Bindings,
  scope: Scope,
  { conditions, ranges = (_, owner) => [[owner]], teamId }: ListFilter,
  isDisjoint = false
): ReadonlyArray<Branch> => {
  const inRanges = (owner: string, exclusive: string): ReadonlyArray<Branch> => {
    const others = conditions(bindings, exclusive)
    const found = ranges(bindings, isDisjoint || others.length > 0 ? exclusive : owner)
    return found.map((range) => [...range, ...others])
  }
  const filtered = (owner: string) => inRanges(owner, owner)
  if (teamId !== undefined) {
    const team = `team_id = ${bindings.add(teamId)}`
    return filtered(
      scope.teamIds.some((id) => id === teamId) ? team : `account_id = ${bindings.add(scope.accountId)} AND ${team}`
    )
  }
  const account = bindings.add(scope.accountId)
  const teamIds = [...new Set(scope.teamIds)]
  const teams =
    teamIds.length <= maxBranches
      ? teamIds.map((id) => `team_id = ${bindings.add(id)}`)
      : [database.dialect.isOneOf("team_id", bindings.add(JSON.stringify(teamIds)))]
  return [
    ...filtered(`account_id = ${account}`),
    ...teams.flatMap((team) => inRanges(team, `${team} AND account_id <> ${account}`))
  ]
}
