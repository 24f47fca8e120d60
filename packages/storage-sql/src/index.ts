export * as SqlCopy from "./copy/SqlCopy.ts"
export * as SqlMigrations from "./SqlMigrations.ts"
export * as SqlStorage from "./SqlStorage.ts"
