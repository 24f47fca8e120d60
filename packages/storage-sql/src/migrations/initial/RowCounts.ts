/** The tables whose rows `row_count` counts. */
const counted = ["call", "contact", "calendar_event"]

const add = (kind: string, row: "NEW" | "OLD", change: "1" | "-1"): string =>
  `INSERT INTO row_count (kind, account_id, team_id, total)
    VALUES ('${kind}', ${row}.account_id, coalesce(${row}.team_id, 0), ${change})
    ON CONFLICT (account_id, kind, team_id) DO UPDATE SET total = row_count.total + excluded.total;`

const moved = `OLD.team_id IS DISTINCT FROM NEW.team_id OR OLD.account_id <> NEW.account_id`

/** Triggers that keep `row_count`, in SQLite. */
export const sqliteRowCounts: ReadonlyArray<string> = counted.flatMap((kind) => [
  `CREATE TRIGGER ${kind}_counted_insert AFTER INSERT ON ${kind} BEGIN ${add(kind, "NEW", "1")} END`,
  `CREATE TRIGGER ${kind}_counted_delete AFTER DELETE ON ${kind} BEGIN ${add(kind, "OLD", "-1")} END`,
  `CREATE TRIGGER ${kind}_counted_update AFTER UPDATE OF account_id, team_id ON ${kind} WHEN ${moved}
    BEGIN ${add(kind, "OLD", "-1")} ${add(kind, "NEW", "1")} END`
])

/** Triggers that keep `row_count`, in PostgreSQL. */
export const postgresRowCounts: ReadonlyArray<string> = counted.flatMap((kind) => [
  `CREATE FUNCTION ${kind}_counted() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'UPDATE' AND NOT (${moved}) THEN RETURN NULL; END IF;
      IF TG_OP <> 'INSERT' THEN ${add(kind, "OLD", "-1")} END IF;
      IF TG_OP <> 'DELETE' THEN ${add(kind, "NEW", "1")} END IF;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER ${kind}_counted AFTER INSERT OR DELETE OR UPDATE OF account_id, team_id ON ${kind}
    FOR EACH ROW EXECUTE FUNCTION ${kind}_counted()`
])
