/** The tables whose rows `row_count` counts, with the columns that are counted as `status` and `type`. */
const counted = [
  { table: "call", status: "status", type: "type" },
  { table: "contact", status: "status", type: "stage" },
  { table: "calendar_event", status: "status", type: "event_type" }
] as const

type Counted = (typeof counted)[number]

/**
 * The expression for the part of a count that a trigger changes, or undefined for the first schema, whose counts have no
 * parts.
 */
type Part = string | undefined

const key = (part: Part): string => `account_id, kind, team_id, status, type${part === undefined ? "" : ", part"}`

const valueColumns = (part: Part): string => `kind, account_id, team_id, status, type, ${part ? "part, " : ""}total`

const values = ({ status, table, type }: Counted, row: "NEW" | "OLD", by: string, part: Part): string =>
  [
    `'${table}', ${row}.account_id, coalesce(${row}.team_id, 0), ${row}.${status}, ${row}.${type}`,
    ...(part === undefined ? [] : [part]),
    by
  ].join(", ")

const addToTotal = (part: Part): string =>
  `ON CONFLICT (${key(part)}) DO UPDATE SET total = row_count.total + excluded.total;`

const add = (kind: Counted, row: "NEW" | "OLD", change: "1" | "-1", part: Part): string =>
  `INSERT INTO row_count (${valueColumns(part)}) VALUES (${values(kind, row, change, part)}) ${addToTotal(part)}`

const columns = ({ status, type }: Counted): ReadonlyArray<string> => ["account_id", "team_id", status, type]

const moved = (kind: Counted): string =>
  columns(kind)
    .map((column) => `OLD.${column} IS DISTINCT FROM NEW.${column}`)
    .join(" OR ")

/** The names of the triggers that {@link sqliteTriggers} creates. */
export const sqliteTriggerNames: ReadonlyArray<string> = counted.flatMap(({ table }) =>
  ["insert", "delete", "update"].map((event) => `${table}_counted_${event}`)
)

/** Returns the statements that create the triggers that maintain `row_count` in SQLite. */
export const sqliteTriggers = (part?: string): ReadonlyArray<string> =>
  counted.flatMap((kind) => [
    `CREATE TRIGGER ${kind.table}_counted_insert AFTER INSERT ON ${kind.table} BEGIN ${add(kind, "NEW", "1", part)} END`,
    `CREATE TRIGGER ${kind.table}_counted_delete AFTER DELETE ON ${kind.table} BEGIN ${add(kind, "OLD", "-1", part)} END`,
    `CREATE TRIGGER ${kind.table}_counted_update AFTER UPDATE OF ${columns(kind).join(", ")} ON ${kind.table}
    WHEN ${moved(kind)} BEGIN ${add(kind, "OLD", "-1", part)} ${add(kind, "NEW", "1", part)} END`
  ])

/** Returns one change of `row_count` as a row of VALUES. */
const change = (kind: Counted, row: "NEW" | "OLD", by: "1" | "-1", part: Part): string =>
  `(${values(kind, row, `CAST(${by} AS bigint)`, part)})`

/**
 * Returns the statement that moves a row from one count to another. It locks the two counts in the order of their keys,
 * so that two opposite moves cannot deadlock (D-PG-20).
 */
const move = (kind: Counted, part: Part): string =>
  `INSERT INTO row_count (${valueColumns(part)})
    SELECT * FROM (VALUES ${change(kind, "OLD", "-1", part)}, ${change(kind, "NEW", "1", part)})
      AS change (${valueColumns(part)})
    ORDER BY account_id, team_id, status COLLATE "C", type COLLATE "C"
    ${addToTotal(part)}`

/** Returns the statements that create or replace the functions of the triggers in PostgreSQL. */
export const postgresFunctions = (part?: string): ReadonlyArray<string> =>
  counted.map(
    (kind) => `CREATE OR REPLACE FUNCTION ${kind.table}_counted() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN ${add(kind, "NEW", "1", part)}
      ELSIF TG_OP = 'DELETE' THEN ${add(kind, "OLD", "-1", part)}
      ELSIF ${moved(kind)} THEN ${move(kind, part)}
      END IF;
      RETURN NULL;
    END $$`
  )

/** Creates the triggers that maintain `row_count` in PostgreSQL. */
export const postgresTriggers: ReadonlyArray<string> = counted.map(
  (kind) => `CREATE TRIGGER ${kind.table}_counted
    AFTER INSERT OR DELETE OR UPDATE OF ${columns(kind).join(", ")} ON ${kind.table}
    FOR EACH ROW EXECUTE FUNCTION ${kind.table}_counted()`
)
