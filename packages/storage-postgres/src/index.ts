export * as PostgresStorage from "./PostgresStorage.ts"
