import { tenantIsolation } from "./tenantIsolation.ts"

tenantIsolation({ memory: 20, SQLite: 10, PostgreSQL: 3 })
