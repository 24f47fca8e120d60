import * as Steps from "@frontdesk/core/background/Steps"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as ClientDialect from "../dialect/ClientDialect.ts"
import * as MigrationRunner from "./MigrationRunner.ts"

/** A table whose rows belonged to an account only through the row that they refer to. */
interface ChildTable {
  readonly table: string
  /** The table with the account, and the column that refers to its id. */
  readonly parent: string
  readonly parentId: string
  /** The first column of an index, by which the rows are filled in steps. */
  readonly order: string
}

/** The child tables. A parent that is a child itself comes before its own children. */
const children: ReadonlyArray<ChildTable> = [
  { table: "api_key_hash", parent: "api_key", parentId: "api_key_id", order: "api_key_id" },
  { table: "reminder", parent: "calendar_event", parentId: "event_id", order: "event_id" },
  { table: "outbox_task", parent: "calendar_event", parentId: "event_id", order: "id" },
  { table: "webhook_delivery", parent: "webhook", parentId: "webhook_id", order: "id" },
  { table: "webhook_attempt", parent: "webhook_delivery", parentId: "delivery_id", order: "delivery_id" }
]

/** The expression for the account of a row. `row` is its table or alias. */
const accountOf = ({ parent, parentId }: ChildTable, row: string): string =>
  `(SELECT account_id FROM ${parent} WHERE ${parent}.id = ${row}.${parentId})`

/**
 * Triggers for servers of the previous version, which insert rows without an account. In PostgreSQL a row has its
 * account before it is checked.
 */
const postgresTriggers = (child: ChildTable): ReadonlyArray<string> => [
  `CREATE FUNCTION ${child.table}_account() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.account_id := ${accountOf(child, "NEW")};
      RETURN NEW;
    END $$`,
  `CREATE TRIGGER ${child.table}_account BEFORE INSERT ON ${child.table}
    FOR EACH ROW WHEN (NEW.account_id IS NULL) EXECUTE FUNCTION ${child.table}_account()`
]

/** SQLite cannot change a row before it is inserted, so the column of SQLite accepts NULL. */
const sqliteTrigger = (child: ChildTable): string =>
  `CREATE TRIGGER ${child.table}_account AFTER INSERT ON ${child.table} WHEN NEW.account_id IS NULL
    BEGIN UPDATE ${child.table} SET account_id = ${accountOf(child, "NEW")} WHERE rowid = NEW.rowid; END`

/** Deletes tasks whose calendar event is gone. Only a deleted account leaves such tasks, and they cannot be done. */
const dropOrphans = "DELETE FROM outbox_task WHERE account_id IS NULL"

/**
 * Adds the account to every table that had none (D-STO-15). PostgreSQL adds the column without writing rows, and
 * {@link filledAccounts} fills it. SQLite fills it at once, because no server answers requests meanwhile.
 */
export const accountColumns = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { types } = ClientDialect.of(sql)
  for (const child of children) {
    const statements = [
      `ALTER TABLE ${child.table} ADD COLUMN account_id ${types.integer}`,
      ...sql.onDialectOrElse({
        pg: () => postgresTriggers(child),
        orElse: () => [`UPDATE ${child.table} SET account_id = ${accountOf(child, child.table)}`, sqliteTrigger(child)]
      })
    ]
    for (const statement of statements) yield* sql.unsafe(statement)
  }
  yield* sql.onDialectOrElse({ pg: () => Effect.void, orElse: () => sql.unsafe(dropOrphans) })
})

/** How many rows one step fills at most, apart from further rows of the last parent. It locks them for about 20 ms. */
const maxInStep = 500

/**
 * Fills the account of the rows of a table, in steps of a transaction each. It pauses between the steps, so that
 * servers and vacuum keep up.
 */
const fill = Effect.fnUntraced(function* (child: ChildTable) {
  const sql = yield* SqlClient
  const { order, table } = child
  let after = "0"
  const step = Effect.gen(function* () {
    const [found] = yield* sql.unsafe<{ last: string | null }>(
      `SELECT CAST(max(${order}) AS text) AS last
        FROM (SELECT ${order} FROM ${table} WHERE ${order} > ${after} ORDER BY ${order} LIMIT ${maxInStep}) AS next`
    )
    const last = found?.last ?? null
    if (last === null) return false
    yield* sql.unsafe(
      `UPDATE ${table} SET account_id = ${accountOf(child, table)}
        WHERE ${order} > ${after} AND ${order} <= ${last} AND account_id IS NULL`
    )
    after = last
    return true
  })
  yield* Steps.untilDone(MigrationRunner.inStep(step))
})

const inPostgres = (statements: ReadonlyArray<string>) =>
  Effect.flatMap(SqlClient, (sql) =>
    sql.onDialectOrElse({
      pg: () => Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true }),
      orElse: () => Effect.void
    })
  )

/** Fills the account of existing rows in PostgreSQL. From then on a check rejects rows without one. */
export const filledAccounts: MigrationRunner.Prepared = {
  prepare: Effect.forEach(children, fill, { discard: true }),
  change: inPostgres([
    dropOrphans,
    ...children.map(
      ({ table }) => `ALTER TABLE ${table} ADD CONSTRAINT ${table}_account CHECK (account_id IS NOT NULL) NOT VALID`
    )
  ])
}

/**
 * Makes the account required in PostgreSQL. Validating the check reads each table while servers write to it. The change
 * then reads no row.
 */
export const requiredAccounts: MigrationRunner.Prepared = {
  prepare: Effect.forEach(
    children,
    ({ table }) => MigrationRunner.inStep(inPostgres([`ALTER TABLE ${table} VALIDATE CONSTRAINT ${table}_account`])),
    { discard: true }
  ),
  change: inPostgres(
    children.flatMap(({ table }) => [
      `ALTER TABLE ${table} ALTER COLUMN account_id SET NOT NULL`,
      `ALTER TABLE ${table} DROP CONSTRAINT ${table}_account`
    ])
  )
}
