import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as ConcurrentIndexes from "./ConcurrentIndexes.ts"
import * as MigrationRunner from "./MigrationRunner.ts"

/** A table whose primary key gets the account as its first column. */
interface KeyedTable {
  readonly table: string
  /** The columns of the primary key without the account. They stay unique. */
  readonly key: ReadonlyArray<string>
  /** An index that the new primary key makes superfluous. */
  readonly replaces?: string
  readonly references: ReadonlyArray<Reference>
}

/** A foreign key to the id of a table. */
interface Reference {
  readonly table: string
  readonly column: string
  /** Whether the row may refer to a row of another account, which shares a team with its own. Then only the id is compared. */
  readonly isShared?: boolean
  readonly onDelete?: "CASCADE" | "SET NULL"
}

const tables: ReadonlyArray<KeyedTable> = [
  {
    table: "api_key",
    key: ["id"],
    replaces: "api_key_account",
    references: [{ table: "api_key_hash", column: "api_key_id", onDelete: "CASCADE" }]
  },
  { table: "api_key_hash", key: ["hash"], references: [] },
  {
    table: "contact",
    key: ["id"],
    references: [
      { table: "contact_number", column: "contact_id", onDelete: "CASCADE" },
      { table: "contact_tag", column: "contact_id", onDelete: "CASCADE" },
      { table: "call", column: "contact_id", isShared: true, onDelete: "SET NULL" }
    ]
  },
  { table: "contact_number", key: ["id"], references: [] },
  { table: "contact_tag", key: ["contact_id", "position"], references: [] },
  { table: "variable", key: ["id"], references: [] },
  {
    table: "agent",
    key: ["id"],
    replaces: "agent_account",
    references: [
      { table: "call", column: "agent_id", isShared: true },
      { table: "calendar_event", column: "ai_agent_id", isShared: true }
    ]
  },
  { table: "call", key: ["id"], references: [] },
  {
    table: "calendar_event",
    key: ["id"],
    references: [{ table: "reminder", column: "event_id", onDelete: "CASCADE" }]
  },
  { table: "reminder", key: ["event_id", "due_at"], references: [] },
  { table: "outbox_task", key: ["id"], references: [] },
  {
    table: "webhook",
    key: ["id"],
    replaces: "webhook_account",
    references: [{ table: "webhook_delivery", column: "webhook_id", onDelete: "CASCADE" }]
  },
  { table: "webhook_event", key: ["id"], references: [{ table: "webhook_delivery", column: "event_id" }] },
  {
    table: "webhook_delivery",
    key: ["id"],
    references: [{ table: "webhook_attempt", column: "delivery_id", onDelete: "CASCADE" }]
  },
  { table: "webhook_attempt", key: ["delivery_id", "number"], references: [] }
]

/** Returns the indexes of a table: that of the new primary key, and that of the previous one under another name. */
const indexesOf = ({
  key,
  table
}: KeyedTable): readonly [primary: ConcurrentIndexes.Index, former: ConcurrentIndexes.Index] => [
  { name: `${table}_account_pkey`, table, definition: `(${["account_id", ...key].join(", ")})`, isUnique: true },
  { name: `${table}_${key.join("_")}_key`, table, definition: `(${key.join(", ")})`, isUnique: true }
]

const run = (statements: ReadonlyArray<string>) =>
  Effect.flatMap(SqlClient, (sql) =>
    Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
  )

/** Returns whether a table has its new keys. */
const hasKeys = Effect.fnUntraced(function* (keyed: KeyedTable) {
  const sql = yield* SqlClient
  const found = yield* sql`SELECT 1 FROM pg_constraint
    WHERE conrelid = to_regclass(${keyed.table}) AND conname = ${indexesOf(keyed)[0].name}`
  return found.length > 0
})

/**
 * Replaces the primary key of a table, and the foreign keys that refer to it. The indexes exist already, unless the
 * database is new. Existing references are not read: {@link validateReferences} does that.
 */
const setKeys = Effect.fnUntraced(function* (keyed: KeyedTable) {
  if (yield* hasKeys(keyed)) return
  const { references, replaces, table } = keyed
  yield* ConcurrentIndexes.complete(indexesOf(keyed))
  yield* run([`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`])
  // Another process may have set the keys while this one waited for the lock.
  if (yield* hasKeys(keyed)) return
  const [account, plain] = indexesOf(keyed).map(({ name }) => name)
  yield* run([
    ...references.map((reference) => `ALTER TABLE ${reference.table} DROP CONSTRAINT ${nameOf(reference)}`),
    `ALTER TABLE ${table} DROP CONSTRAINT ${table}_pkey`,
    `ALTER TABLE ${table} ADD CONSTRAINT ${account} PRIMARY KEY USING INDEX ${account}`,
    `ALTER TABLE ${table} ADD CONSTRAINT ${plain} UNIQUE USING INDEX ${plain}`,
    ...references.map((reference) => addReference(keyed, reference)),
    ...(replaces === undefined ? [] : [`DROP INDEX ${replaces}`])
  ])
})

const nameOf = ({ column, table }: Reference): string => `${table}_${column}_fkey`

const addReference = (to: KeyedTable, reference: Reference): string => {
  const { column, isShared = false, onDelete, table } = reference
  const account = isShared ? "" : "account_id, "
  return `ALTER TABLE ${table} ADD CONSTRAINT ${nameOf(reference)} FOREIGN KEY (${account}${column})
    REFERENCES ${to.table} (${account}id)${onDelete === undefined ? "" : ` ON DELETE ${onDelete}`} NOT VALID`
}

/** Checks the existing rows of each foreign key that {@link setKeys} has added, while servers write to the tables. */
const validateReferences = (inStep: typeof MigrationRunner.inStep) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const names = JSON.stringify(tables.flatMap(({ references }) => references.map(nameOf)))
    const found = yield* sql<{ table: string; name: string }>`SELECT CAST(conrelid AS regclass)::text AS "table",
        CAST(conname AS text) AS name FROM pg_constraint
      WHERE NOT convalidated AND conname IN (SELECT json_array_elements_text(CAST(${names} AS json)))
        AND connamespace = to_regnamespace(current_schema())`
    for (const { name, table } of found) yield* inStep(run([`ALTER TABLE ${table} VALIDATE CONSTRAINT ${name}`]))
  })

/**
 * Puts the account first in the primary keys of PostgreSQL, and in the foreign keys within an account (D-PG-33). The
 * preparation does everything, table by table, in a database with tables. The change then finds nothing to do.
 */
export const accountKeys: MigrationRunner.Prepared = {
  prepare: Effect.gen(function* () {
    for (const keyed of tables) {
      yield* ConcurrentIndexes.build(indexesOf(keyed))
      yield* MigrationRunner.inStep(setKeys(keyed))
    }
    yield* validateReferences(MigrationRunner.inStep)
  }),
  change: Effect.flatMap(SqlClient, (sql) =>
    sql.onDialectOrElse({
      pg: () =>
        Effect.andThen(
          Effect.forEach(tables, setKeys, { discard: true }),
          validateReferences((step) => step)
        ),
      orElse: () => Effect.void
    })
  )
}
