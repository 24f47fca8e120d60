import type { Scope } from "@frontdesk/core/access/Principal"
import * as Page from "@frontdesk/core/values/Page"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Bindings, makeBindings } from "./WriteStatements.ts"
import * as Column from "./Column.ts"
import type { Database } from "./Database.ts"
import type { RowSchema } from "./RowDecoder.ts"
import * as OwnedRow from "./OwnedRow.ts"

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
  /**
   * `SELECT … FROM table …` without `WHERE`.
   *
   * @param inScope the condition that a row of a joined table is in the scope of the list
   * @param large how a large column is read
   */
  readonly select: (inScope: (alias: string) => string, large: LargeColumn) => string
  /** The columns whose bytes a page bounds; none when absent. */
  readonly largeColumns?: ReadonlyArray<string>
}

/** Returns the expression that reads a large column of a table; `otherwise` stands for it in a row that comes without. */
export type LargeColumn = (table: string, column: string, otherwise: string) => string

/** Reads a large column of every row. */
export const whole: LargeColumn = (table, column) => `${table}.${column}`

/** What narrows a list. */
export interface Narrowing {
  readonly teamId?: number | undefined
  readonly status?: string | undefined
  readonly type?: string | undefined
  /** Bounds of the column it is ordered by. */
  readonly range?: (bindings: Bindings) => ReadonlyArray<string>
  /**
   * Every other condition on the columns of the table. `owner` is the condition whose rows they narrow, on columns
   * `account_id` and `team_id`.
   */
  readonly conditions: (bindings: Bindings, owner: string) => ReadonlyArray<string>
}

/** Rows of one owner. */
interface Branch {
  /** What is listed of them. */
  readonly owner: string
  /** The same without the rows that another branch has too: what is counted. */
  readonly others: string
  readonly conditions: ReadonlyArray<string>
}

/** How many bytes of large columns are read before others have their turn: to read a whole page takes ten milliseconds. */
const partBytes = 262_144

const Size = Schema.Struct({ id: Schema.Int, bytes: Schema.Int })

/** Above this many teams their rows are read together and sorted, for SQLite takes 500 branches at most. */
const maxBranches = 100

/**
 * Reads pages of a table.
 *
 * One condition over both owners (`account_id = … OR team_id IN …`) would read and sort everything in the scope. So
 * each owner is a branch of its own, read in the order of its index, and the database merges the branches until the
 * page is full. The account's own rows in a team are in two branches, and are merged into one: to leave them out of the
 * team's would be to read past all of them, which may be almost all there are. Counts leave them out, and lists with
 * conditions, of which an index of the account finds the own rows, and each of the team's has to be looked at.
 *
 * The count of a list that nothing but team, status and type narrow is kept in `row_count`. Any other count reads the
 * index over the range that is asked: its cost grows with the rows in the range, not with those of the account.
 *
 * Where a table has large columns, their sizes are read first, so that no more of them is read than a page may show. Their rows still
 * have to be counted as JSON (`Page.bounded`): a text has more bytes in it, and the other columns count too.
 */
export const make = <S extends RowSchema>(database: Database["Service"], table: OwnedTable<S>) => {
  const rows = database.sound(table.operation, table.row)
  const counted = database.one(table.operation, Column.Count)
  const sized = database.all(table.operation, Size)
  const ordered = (prefix: string) =>
    [...table.order, "id"].map((column) => `${prefix}${column} ${table.direction}`).join(", ")

  const countOf = (scope: Scope, narrowing: Narrowing) => {
    const bindings = makeBindings()
    const branches = branchesOf(database, bindings, scope, narrowing)
    const isKept = branches.every(({ conditions }) => conditions.length === 0)
    const counts = branches.map(({ conditions, others }) =>
      isKept
        ? `(SELECT coalesce(sum(total), 0) FROM row_count WHERE ${[`kind = '${table.table}'`, others, ...facets(bindings, narrowing, "type")].join(" AND ")})`
        : `(SELECT count(*) FROM ${table.table} WHERE ${[others, ...facets(bindings, narrowing, table.type), ...conditions].join(" AND ")})`
    )
    return counted(`SELECT CAST(${counts.join(" + ")} AS bigint) AS count`, bindings.values)
  }

  /** The condition on a row to be one of a page. */
  const isOnPage = (bindings: Bindings, scope: Scope, narrowing: Narrowing, page: Page.PageRequest) => {
    // Not a parameter, of which PostgreSQL assumes a tenth of all rows: then no plan but one for the very values looks good
    // to it in a large table, and it makes one anew each time.
    const limit = `${page.limit}`
    const offset = page.page === 1 ? undefined : bindings.add(Page.offset(page))
    const cut = offset === undefined ? `LIMIT ${limit}` : `LIMIT ${limit} OFFSET ${offset}`
    const branches = branchesOf(database, bindings, scope, narrowing).map(
      ({ conditions, owner }) =>
        `SELECT ${[...table.order, "id"].join(", ")} FROM ${table.table} WHERE ${[owner, ...facets(bindings, narrowing, table.type), ...conditions].join(" AND ")}`
    )
    const last = offset === undefined ? limit : `${limit} + CAST(${offset} AS bigint)`
    const merged =
      branches.length === 1
        ? branches.join("")
        : branches.map((branch) => database.dialect.branch(branch, ordered(""), last)).join(" UNION ")
    return `${table.table}.id IN (SELECT id FROM (${merged} ORDER BY ${ordered("")} ${cut}) AS page)`
  }

  const nothing = table.largeColumns === undefined ? { items: [] } : { items: [], truncated: [] }

  const order = `ORDER BY ${ordered(`${table.table}.`)}`

  /** The ids of a page in its order, each with the bytes of its large columns, none of which is read. */
  const sizesOf = (scope: Scope, narrowing: Narrowing, page: Page.PageRequest, columns: ReadonlyArray<string>) => {
    const bindings = makeBindings()
    const sizes = columns.map((column) => `coalesce(${database.dialect.textBytes(column)}, 0)`)
    const condition = isOnPage(bindings, scope, narrowing, page)
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
    `${table.table}.id IN ${database.dialect.numbers(bindings.add(JSON.stringify(ids)))}`

  /** The rows of a page, found once: of a table with large columns they are then read by their ids. */
  const itemsOf = Effect.fnUntraced(function* (scope: Scope, narrowing: Narrowing, page: Page.PageRequest) {
    const { largeColumns } = table
    if (largeColumns === undefined) {
      return { items: yield* rowsOf(scope, (bindings) => isOnPage(bindings, scope, narrowing, page)) }
    }
    const sizes = yield* sizesOf(scope, narrowing, page, largeColumns)
    let bytes = 0
    const truncated = sizes.filter((row) => (bytes += row.bytes) > Page.maxBytes).map(({ id }) => id)
    const items: Array<S["Type"]> = []
    for (const ids of partsOf(sizes)) {
      if (items.length > 0) yield* Effect.yieldNow
      items.push(...(yield* rowsOf(scope, (bindings) => isOneOf(bindings, ids), truncated)))
    }
    return { items, truncated }
  })

  return Effect.fnUntraced(function* (scope: Scope, narrowing: Narrowing, page: Page.PageRequest) {
    const { count } = yield* countOf(scope, narrowing)
    // What is known to be empty is not looked for.
    const found = Page.offset(page) < count ? yield* itemsOf(scope, narrowing, page) : nothing
    return { ...found, count, page: page.page, limit: page.limit } satisfies Page.Page<S["Type"]>
  })
}

/** Splits the rows of a page, in their order, into parts whose large columns have at most {@link partBytes}, or one row. */
const partsOf = (sizes: ReadonlyArray<typeof Size.Type>): ReadonlyArray<ReadonlyArray<number>> => {
  const parts: Array<Array<number>> = []
  let [bytes, total] = [0, 0]
  for (const row of sizes) {
    total += row.bytes
    // A row beyond the bound of a page comes without its large columns.
    const read = total > Page.maxBytes ? 0 : row.bytes
    const last = parts.at(-1)
    if (last === undefined || bytes + read > partBytes) {
      parts.push([row.id])
      bytes = read
    } else {
      last.push(row.id)
      bytes += read
    }
  }
  return parts
}

/** The conditions that `row_count` knows too. */
const facets = (bindings: Bindings, { status, type }: Narrowing, typeColumn: string): ReadonlyArray<string> => [
  ...(status === undefined ? [] : [`status = ${bindings.add(status)}`]),
  ...(type === undefined ? [] : [`${typeColumn} = ${bindings.add(type)}`])
]

/** The owners whose rows are read, each with its condition and those that narrow its rows. */
const branchesOf = (
  database: Database["Service"],
  bindings: Bindings,
  scope: Scope,
  { conditions, range = () => [], teamId }: Narrowing
): ReadonlyArray<Branch> => {
  const narrowed = (owner: string): Branch => ({
    owner,
    others: owner,
    conditions: [...range(bindings), ...conditions(bindings, owner)]
  })
  if (teamId !== undefined) {
    const team = `team_id = ${bindings.add(teamId)}`
    return scope.teamIds.some((id) => id === teamId)
      ? [narrowed(team)]
      : [narrowed(`account_id = ${bindings.add(scope.accountId)} AND ${team}`)]
  }
  const account = bindings.add(scope.accountId)
  const teamIds = [...new Set(scope.teamIds)]
  const teams =
    teamIds.length <= maxBranches
      ? teamIds.map((id) => `team_id = ${bindings.add(id)}`)
      : [database.dialect.isOneOf("team_id", bindings.add(JSON.stringify(teamIds)))]
  return [
    narrowed(`account_id = ${account}`),
    ...teams.map((team): Branch => {
      const others = `${team} AND account_id <> ${account}`
      const looked = conditions(bindings, others)
      return {
        owner: looked.length === 0 ? team : others,
        others,
        conditions: [...range(bindings), ...looked]
      }
    })
  ]
}
