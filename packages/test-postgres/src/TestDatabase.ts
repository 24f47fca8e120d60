import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { SqlError } from "effect/sql/SqlError"
import { randomUUID } from "node:crypto"
import { inject } from "vitest"

declare module "vitest" {
  export interface ProvidedContext {
    /** The URL of the server that this run of the tests shares. */
    readonly postgresUrl: string
  }
}

/** A new database on a server, made with options of `CREATE DATABASE`, dropped with the scope. Answers its URL. */
export const on = (server: string, options = ""): Effect.Effect<string, SqlError, Scope.Scope> => {
  const name = `test_${randomUUID().replaceAll("-", "")}`
  const administer = (statement: string) =>
    Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe(statement)).pipe(
      Effect.provide(PgClient.layer({ url: Redacted.make(server), maxConnections: 1 }))
    )
  const url = new URL(server)
  url.pathname = `/${name}`
  return Effect.acquireRelease(Effect.as(administer(`CREATE DATABASE ${name} ${options}`), url.href), () =>
    Effect.orDie(administer(`DROP DATABASE ${name} WITH (FORCE)`))
  )
}

/** A new database on the server that the tests of this run share, dropped with the scope. Answers its URL. */
export const make: Effect.Effect<string, SqlError, Scope.Scope> = Effect.suspend(() => on(inject("postgresUrl")))

/** The same in English, whose order of texts (`a`, `B`, `c`; signs last of all) is not that of their code points. */
export const makeInEnglish: Effect.Effect<string, SqlError, Scope.Scope> = Effect.suspend(() =>
  on(inject("postgresUrl"), "LOCALE_PROVIDER icu ICU_LOCALE 'en-US' TEMPLATE template0")
)
