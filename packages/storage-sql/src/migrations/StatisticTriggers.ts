/** The columns of the figures, in the order of `Statistic.figureNames`. */
export const figures = ["calls", "answered", "minutes", "spend", "bookings", "deliveries", "failures"] as const

/** What differs between the databases in the statements below. */
export interface Expressions {
  /** Returns the epoch second of an instant, rounded down. */
  readonly second: (instant: string) => string
  /** Returns the whole seconds between two instants. */
  readonly seconds: (from: string, until: string) => string
  /** Returns the greater of two numbers. */
  readonly greater: (one: string, other: string) => string
}

/** The expressions of PostgreSQL. */
export const postgresExpressions: Expressions = {
  second: (instant) => `CAST(floor(extract(epoch FROM ${instant})) AS bigint)`,
  seconds: (from, until) => `CAST(floor(extract(epoch FROM (${until} - ${from}))) AS bigint)`,
  greater: (one, other) => `greatest(${one}, ${other})`
}

/** The expressions of SQLite, whose division rounds towards zero. */
export const sqliteExpressions: Expressions = {
  second: (instant) => `(${instant} - (${instant} % 1000 + 1000) % 1000) / 1000`,
  seconds: (from, until) => `(${until} - ${from}) / 1000`,
  greater: (one, other) => `max(${one}, ${other})`
}

/** A table whose rows count. Every function takes the name or the alias of a row. */
interface Counted {
  readonly table: string
  readonly agent: (row: string) => string
  /** The figures that a row counts for. An absent one is 0. */
  readonly figures: (
    row: string,
    expressions: Expressions
  ) => Readonly<Partial<Record<(typeof figures)[number], string>>>
  /** The columns that decide what a row counts for. */
  readonly columns: ReadonlyArray<string>
}

/** Calls and calendar events. They count at the time at which they were made (D-STAT-1, D-STAT-2). */
const counted: ReadonlyArray<Counted> = [
  {
    table: "call",
    agent: (row) => `${row}.agent_id`,
    figures: (row, { greater, seconds }) => ({
      calls: "1",
      answered: `CASE WHEN ${row}.started_at IS NULL THEN 0 ELSE 1 END`,
      minutes: `CASE WHEN ${row}.started_at IS NULL OR ${row}.ended_at IS NULL THEN 0
        ELSE ${greater("1", `(${seconds(`${row}.started_at`, `${row}.ended_at`)} + 59) / 60`)} END`,
      spend: `CASE WHEN ${row}.billing_status = 'pending' THEN 0 ELSE ${row}.initial_charge + ${row}.final_charge END`
    }),
    columns: ["agent_id", "created_at", "started_at", "ended_at", "billing_status", "initial_charge", "final_charge"]
  },
  {
    table: "calendar_event",
    agent: (row) => `coalesce(${row}.ai_agent_id, 0)`,
    figures: (row) => ({
      bookings: `CASE WHEN ${row}.event_type = 'busy' OR ${row}.status = 'cancelled' THEN 0 ELSE 1 END`
    }),
    columns: ["ai_agent_id", "created_at", "event_type", "status"]
  }
]

/** The figures that rows of a table count for. */
const namesOf = (kind: Counted): ReadonlyArray<(typeof figures)[number]> => {
  const values = kind.figures("", postgresExpressions)
  return figures.filter((name) => name in values)
}

/** Returns the time and the agent of a row. */
const placeOf = (kind: Counted, row: string, { second }: Expressions): readonly [second: string, agent: string] => [
  second(`${row}.created_at`),
  kind.agent(row)
]

/** Returns the figures that a row counts for, by the names of {@link namesOf}. */
const valuesOf = (kind: Counted, row: string, expressions: Expressions): ReadonlyArray<string> => {
  const values = kind.figures(row, expressions)
  return namesOf(kind).map((name) => `(${values[name] ?? "0"})`)
}

/** Returns the statement that appends figures at the time and the agent of a row, if a condition holds. */
const append = (
  kind: Counted,
  row: string,
  expressions: Expressions,
  values: ReadonlyArray<string>,
  condition: string
): string => `INSERT INTO statistic_part (account_id, second, agent_id, ${namesOf(kind).join(", ")})
    SELECT ${[`${row}.account_id`, ...placeOf(kind, row, expressions), ...values].join(", ")} WHERE ${condition};`

const isAny = (values: ReadonlyArray<string>): string => `(${values.map((value) => `${value} <> 0`).join(" OR ")})`

/** Returns the statement that appends what a new row counts for. */
const appendNew = (kind: Counted, expressions: Expressions): string => {
  const values = valuesOf(kind, "NEW", expressions)
  return append(kind, "NEW", expressions, values, isAny(values))
}

/**
 * Returns the statements that append the difference of a changed row. When its time or agent has changed, they take away
 * what it counted for there, and append what it counts for now.
 */
const appendChange = (kind: Counted, expressions: Expressions): string => {
  const [before, after] = [valuesOf(kind, "OLD", expressions), valuesOf(kind, "NEW", expressions)]
  const [placeBefore, placeAfter] = [placeOf(kind, "OLD", expressions), placeOf(kind, "NEW", expressions)]
  const isSame = `${placeBefore[0]} = ${placeAfter[0]} AND ${placeBefore[1]} = ${placeAfter[1]}`
  const difference = after.map((value, index) => `${value} - ${before[index] ?? "0"}`)
  const negative = before.map((value) => `- ${value}`)
  return [
    append(kind, "NEW", expressions, difference, `${isSame} AND ${isAny(difference)}`),
    append(kind, "OLD", expressions, negative, `NOT (${isSame}) AND ${isAny(before)}`),
    append(kind, "NEW", expressions, after, `NOT (${isSame}) AND ${isAny(after)}`)
  ].join("\n      ")
}

const differs = (columns: ReadonlyArray<string>, isDistinct: string): string =>
  columns.map((column) => `OLD.${column} ${isDistinct} NEW.${column}`).join(" OR ")

/** The condition that a delivery is counted in a figure, before or after the change of its state. */
const isCounted = (row: string): string => `${row}.state IN ('delivered', 'failed')`

/**
 * Returns the statement that appends the difference of a delivery, at the time of its webhook event (D-STAT-3). It is found
 * by its key.
 */
const appendDelivery = ({ second }: Expressions): string => {
  const difference = (state: string) =>
    `CASE NEW.state WHEN '${state}' THEN 1 ELSE 0 END - CASE OLD.state WHEN '${state}' THEN 1 ELSE 0 END`
  return `INSERT INTO statistic_part (account_id, second, agent_id, deliveries, failures)
    SELECT NEW.account_id, ${second("webhook_event.created_at")}, 0, ${difference("delivered")}, ${difference("failed")}
    FROM webhook_event WHERE webhook_event.id = NEW.event_id;`
}

const deliveryChanges = (isDistinct: string): string =>
  `OLD.state ${isDistinct} NEW.state AND (${isCounted("OLD")} OR ${isCounted("NEW")})`

/** The statements that create the triggers of SQLite. A condition keeps them from running for most changes. */
export const sqlite: ReadonlyArray<string> = [
  ...counted.flatMap((kind) => [
    `CREATE TRIGGER ${kind.table}_statistics_insert AFTER INSERT ON ${kind.table}
      BEGIN ${appendNew(kind, sqliteExpressions)} END`,
    `CREATE TRIGGER ${kind.table}_statistics_update AFTER UPDATE OF ${kind.columns.join(", ")} ON ${kind.table}
      WHEN ${differs(kind.columns, "IS NOT")} BEGIN ${appendChange(kind, sqliteExpressions)} END`
  ]),
  `CREATE TRIGGER webhook_delivery_statistics AFTER UPDATE OF state ON webhook_delivery
    WHEN ${deliveryChanges("IS NOT")} BEGIN ${appendDelivery(sqliteExpressions)} END`
]

const postgresFunction = (table: string, statements: string): string =>
  `CREATE FUNCTION ${table}_statistics() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      ${statements}
      RETURN NULL;
    END $$`

/** The statements that create the triggers of PostgreSQL. A condition keeps their functions from being called for most changes. */
export const postgres: ReadonlyArray<string> = [
  ...counted.flatMap((kind) => [
    postgresFunction(
      kind.table,
      `IF TG_OP = 'INSERT' THEN ${appendNew(kind, postgresExpressions)}
      ELSE ${appendChange(kind, postgresExpressions)}
      END IF;`
    ),
    `CREATE TRIGGER ${kind.table}_statistics_insert AFTER INSERT ON ${kind.table}
      FOR EACH ROW EXECUTE FUNCTION ${kind.table}_statistics()`,
    `CREATE TRIGGER ${kind.table}_statistics_update AFTER UPDATE OF ${kind.columns.join(", ")} ON ${kind.table}
      FOR EACH ROW WHEN (${differs(kind.columns, "IS DISTINCT FROM")}) EXECUTE FUNCTION ${kind.table}_statistics()`
  ]),
  postgresFunction("webhook_delivery", appendDelivery(postgresExpressions)),
  `CREATE TRIGGER webhook_delivery_statistics AFTER UPDATE OF state ON webhook_delivery
    FOR EACH ROW WHEN (${deliveryChanges("IS DISTINCT FROM")}) EXECUTE FUNCTION webhook_delivery_statistics()`
]

/**
 * Returns the statements that count the existing rows. Times are rounded down to a quarter of an hour, so that few parts
 * wait to be folded. No zone has changed its date within a quarter of an hour since 2012.
 */
export const backfill = (expressions: Expressions): ReadonlyArray<string> => {
  const quarter = (instant: string) => `${expressions.second(instant)} / 900 * 900`
  return [
    ...counted.map((kind) => {
      const sums = valuesOf(kind, kind.table, expressions).map((value) => `sum(${value})`)
      const [, agent] = placeOf(kind, kind.table, expressions)
      return `INSERT INTO statistic_part (account_id, second, agent_id, ${namesOf(kind).join(", ")})
        SELECT account_id, ${quarter("created_at")}, ${agent}, ${sums.join(", ")} FROM ${kind.table}
        GROUP BY 1, 2, 3 HAVING ${isAny(sums)} ORDER BY 1, 2, 3`
    }),
    `INSERT INTO statistic_part (account_id, second, agent_id, deliveries, failures)
      SELECT webhook_delivery.account_id, ${quarter("webhook_event.created_at")}, 0,
        sum(CASE state WHEN 'delivered' THEN 1 ELSE 0 END), sum(CASE state WHEN 'failed' THEN 1 ELSE 0 END)
      FROM webhook_delivery JOIN webhook_event ON webhook_event.id = webhook_delivery.event_id
      WHERE ${isCounted("webhook_delivery")} GROUP BY 1, 2 ORDER BY 1, 2`
  ]
}
