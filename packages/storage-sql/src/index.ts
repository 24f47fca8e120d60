export * as SqlMigrations from "./SqlMigrations.ts"
export * as SqlStorage from "./SqlStorage.ts"
