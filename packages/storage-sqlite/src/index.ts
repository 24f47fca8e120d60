export * as SqliteClient from "./SqliteClient.ts"
export * as SqliteStorage from "./SqliteStorage.ts"
