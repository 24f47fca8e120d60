/** What the statements of this package need of a connection of the host. */
export interface HostSettings {
  /** The schema of the tables. */
  readonly schema: string
  /** How long a statement may take, in milliseconds as a setting of PostgreSQL. "0": without limit. */
  readonly statementTimeout: string
  /** How long a statement waits for a lock. */
  readonly lockTimeout: string
  /** The maximum number of connections that workers use at a time. */
  readonly workerConnections: number
}

/** Returns a name as an identifier of SQL. */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Returns the settings by name, with their values. The formats are those that `HostValues` reads. */
export const valuesOf = ({
  lockTimeout,
  schema,
  statementTimeout
}: HostSettings): Readonly<Record<string, string>> => ({
  // Temporary tables of the host come last, where PostgreSQL would search them first.
  search_path: `${identifier(schema)}, pg_temp`,
  statement_timeout: statementTimeout,
  lock_timeout: lockTimeout,
  TimeZone: "UTC",
  DateStyle: "ISO, MDY",
  bytea_output: "hex",
  extra_float_digits: "1"
})

const literal = (value: string): string => `'${value.replaceAll("'", "''")}'`

/**
 * Returns statements that set the values, separated by semicolons.
 *
 * @param scope `LOCAL`: until the transaction ends. `SESSION`: until the connection closes
 */
export const assignments = (values: Readonly<Record<string, string>>, scope: "LOCAL" | "SESSION"): string =>
  Object.entries(values)
    .map(([name, value]) => `SELECT set_config(${literal(name)}, ${literal(value)}, ${scope === "LOCAL"})`)
    .join("; ")

/** Returns a statement that reads the present values of the settings, each as a column. */
export const reading = (values: Readonly<Record<string, string>>): string =>
  `SELECT ${Object.keys(values)
    .map((name) => `current_setting(${literal(name)}) AS ${identifier(name)}`)
    .join(", ")}`
