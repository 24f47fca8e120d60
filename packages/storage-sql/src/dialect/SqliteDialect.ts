import * as DateTime from "effect/DateTime"
import type { Dialect } from "./Dialect.ts"

/** SQLite: instants are epoch milliseconds, flags 1 and 0, JSON is text; a transaction excludes every other. */
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
  rows: (rows) => rows,
  time: DateTime.toEpochMillis,
  instant: (parameter) => parameter,
  document: (text) => text,
  numbers: (parameter) => `(SELECT value FROM json_each(${parameter}))`,
  isOneOf: (column, parameter) => `${column} IN (SELECT value FROM json_each(${parameter}))`,
  isOneOfTexts: (column, parameter) => `${column} IN (SELECT value FROM json_each(${parameter}))`,
  branch: (select) => select,
  records: (name, parameter, columns) =>
    `(SELECT ${Object.keys(columns)
      .map((column) => `json_extract(value, '$.${column}') AS ${column}`)
      .join(", ")} FROM json_each(${parameter})) AS ${name}`,
  holds: (column, parameter) => `EXISTS (SELECT 1 FROM json_each(${column}) WHERE value = ${parameter})`,
  collect: (values, order) =>
    `json_group_array(${values.length === 1 ? values.join("") : `json_array(${values.join(", ")})`} ORDER BY ${order})`,
  textBytes: (column) => `octet_length(${column})`,
  storedBytes: (column) => `octet_length(${column})`,
  occurs: (column, parameter) => `instr(${column}, ${parameter}) > 0`,
  forUpdate: () => "",
  forReference: () => "",
  forDelete: () => "",
  heldInOrder: (_, condition) => condition,
  skipLocked: "",
  lock: null
}
