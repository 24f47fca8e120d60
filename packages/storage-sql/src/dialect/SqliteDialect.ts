import * as DateTime from "effect/DateTime"
import type { Dialect } from "./Dialect.ts"

/**
 * The dialect of SQLite. Instants are epoch milliseconds, flags are 1 and 0, and JSON is text. A writing transaction
 * excludes every other one.
 */
export const sqlite: Dialect = {
  types: {
    id: "INTEGER PRIMARY KEY AUTOINCREMENT",
    key: "INTEGER PRIMARY KEY",
    integer: "INTEGER",
    text: "TEXT",
    flag: "INTEGER",
    token: "TEXT NOT NULL DEFAULT (lower(hex(randomblob(16))))",
    time: "INTEGER",
    json: "TEXT",
    bytes: "BLOB",
    table: " STRICT"
  },
  isConcurrent: false,
  text: (statement) => statement,
  toStored: null,
  time: DateTime.toEpochMillis,
  instant: (parameter) => parameter,
  isApart: (earlier, later, hours) => `${later} - ${earlier} > ${hours * 3_600_000}`,
  storedText: (parameter) => parameter,
  document: (text) => text,
  integers: (parameter) => `(SELECT value FROM json_each(${parameter}))`,
  isOneOf: (column, parameter) => `${column} IN (SELECT value FROM json_each(${parameter}))`,
  isOneOfTexts: (column, parameter) => `${column} IN (SELECT value FROM json_each(${parameter}))`,
  isOneOfRows: (column, select) => `${column} IN (${select})`,
  fromEach: ({ alias, condition, each, select, table }) =>
    `FROM ${each} CROSS JOIN ${table} AS ${alias} WHERE ${condition} AND ${alias}.id IN (${select})`,
  branch: (select) => select,
  records: (name, parameter, columns) =>
    `(SELECT ${Object.keys(columns)
      .map((column) => `json_extract(value, '$.${column}') AS ${column}`)
      .join(", ")} FROM json_each(${parameter})) AS ${name}`,
  contains: (column, parameter) => `EXISTS (SELECT 1 FROM json_each(${column}) WHERE value = ${parameter})`,
  collect: (values, order) =>
    `json_group_array(${values.length === 1 ? values.join("") : `json_array(${values.join(", ")})`} ORDER BY ${order})`,
  textBytes: (column) => `octet_length(${column})`,
  storedBytes: (column) => `octet_length(${column})`,
  rare: (condition) => `likelihood(${condition}, 0.001)`,
  occurs: (column, parameter) => `instr(${column}, ${parameter}) > 0`,
  forUpdate: () => "",
  forReference: () => "",
  forDelete: () => "",
  lockedInOrder: (_, condition) => condition,
  skipLocked: "",
  lastId: () => "last_insert_rowid()",
  nextIds: null,
  lock: null,
  lockAll: null
}
