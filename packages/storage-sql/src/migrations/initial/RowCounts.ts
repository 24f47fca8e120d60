/** The tables whose rows `row_count` counts, with the columns that are counted as `status` and `type`. */
const counted = [
  { table: "call", status: "status", type: "type" },
  { table: "contact", status: "status", type: "stage" },
  { table: "calendar_event", status: "status", type: "event_type" }
] as const

type Counted = (typeof counted)[number]

const add = ({ status, table, type }: Counted, row: "NEW" | "OLD", change: "1" | "-1"): string =>
  `INSERT INTO row_count (kind, account_id, team_id, status, type, total)
    VALUES ('${table}', ${row}.account_id, coalesce(${row}.team_id, 0), ${row}.${status}, ${row}.${type}, ${change})
    ON CONFLICT (account_id, kind, team_id, status, type) DO UPDATE SET total = row_count.total + excluded.total;`

const columns = ({ status, type }: Counted): ReadonlyArray<string> => ["account_id", "team_id", status, type]

const moved = (kind: Counted): string =>
  columns(kind)
    .map((column) => `OLD.${column} IS DISTINCT FROM NEW.${column}`)
    .join(" OR ")

/** The triggers that maintain `row_count` in SQLite. */
export const sqliteRowCounts: ReadonlyArray<string> = counted.flatMap((kind) => [
  `CREATE TRIGGER ${kind.table}_counted_insert AFTER INSERT ON ${kind.table} BEGIN ${add(kind, "NEW", "1")} END`,
  `CREATE TRIGGER ${kind.table}_counted_delete AFTER DELETE ON ${kind.table} BEGIN ${add(kind, "OLD", "-1")} END`,
  `CREATE TRIGGER ${kind.table}_counted_update AFTER UPDATE OF ${columns(kind).join(", ")} ON ${kind.table}
    WHEN ${moved(kind)} BEGIN ${add(kind, "OLD", "-1")} ${add(kind, "NEW", "1")} END`
])

/** Returns one change of `row_count` as a row of VALUES. */
const change = ({ status, table, type }: Counted, row: "NEW" | "OLD", by: "1" | "-1"): string =>
  `('${table}', ${row}.account_id, coalesce(${row}.team_id, 0), ${row}.${status}, ${row}.${type}, CAST(${by} AS bigint))`

/**
 * Returns the statement that moves a row from one count to another. It locks the two counts in the order of their keys,
 * so that two opposite moves cannot deadlock (D-PG-20).
 */
const move = (kind: Counted): string =>
  `INSERT INTO row_count (kind, account_id, team_id, status, type, total)
    SELECT * FROM (VALUES ${change(kind, "OLD", "-1")}, ${change(kind, "NEW", "1")})
      AS change (kind, account_id, team_id, status, type, total)
    ORDER BY account_id, team_id, status COLLATE "C", type COLLATE "C"
    ON CONFLICT (account_id, kind, team_id, status, type) DO UPDATE SET total = row_count.total + excluded.total;`

/** The triggers that maintain `row_count` in PostgreSQL. */
export const postgresRowCounts: ReadonlyArray<string> = counted.flatMap((kind) => [
  `CREATE FUNCTION ${kind.table}_counted() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN ${add(kind, "NEW", "1")}
      ELSIF TG_OP = 'DELETE' THEN ${add(kind, "OLD", "-1")}
      ELSIF ${moved(kind)} THEN ${move(kind)}
      END IF;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER ${kind.table}_counted
    AFTER INSERT OR DELETE OR UPDATE OF ${columns(kind).join(", ")} ON ${kind.table}
    FOR EACH ROW EXECUTE FUNCTION ${kind.table}_counted()`
])
