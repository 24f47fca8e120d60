import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { SqlError } from "effect/sql/SqlError"
import { randomUUID } from "node:crypto"
import { inject } from "vitest"

declare module "vitest" {
  export interface ProvidedContext {
    /** The URL of the server that all tests of a run share. */
    readonly postgresUrl: string
    /** The prefix of the names of lent databases of this run. */
    readonly lentDatabases: string
  }
}

const connect = (url: string) => PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })

const administer = (url: string, statement: string) =>
  Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe(statement)).pipe(Effect.provide(connect(url), { local: true }))

const create = Effect.fnUntraced(function* (server: string, options: string, prefix = "test") {
  const name = `${prefix}_${randomUUID().replaceAll("-", "")}`
  yield* administer(server, `CREATE DATABASE ${name} ${options}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
})

/**
 * Drops a database. The `end` of a pool of `pg` returns before its connections are closed, and a connection that the
 * server ends in between throws an error that no code can catch. So the connections get a second to close.
 */
const drop = (server: string, url: string) => {
  const name = new URL(url).pathname.slice(1)
  const close = `DO $$ BEGIN
    FOR attempt IN 1..100 LOOP
      PERFORM pg_stat_clear_snapshot();
      EXIT WHEN NOT EXISTS (SELECT FROM pg_stat_activity WHERE datname = '${name}');
      PERFORM pg_sleep(0.01);
    END LOOP;
  END $$`
  return Effect.andThen(administer(server, close), administer(server, `DROP DATABASE ${name} WITH (FORCE)`))
}

/** Runs the statements of a dump on a database. */
export const restore = (url: string, dump: string): Effect.Effect<void, SqlError> =>
  // The client sends one statement at a time, and EXECUTE accepts many.
  Effect.asVoid(administer(url, `DO $restore$ BEGIN EXECUTE $dump$${dump}$dump$; END $restore$`))

/** Creates a database on a server, with options of `CREATE DATABASE`, and drops it with the scope. Returns its URL. */
export const on = (server: string, options = ""): Effect.Effect<string, SqlError, Scope.Scope> =>
  Effect.acquireRelease(create(server, options), (url) => Effect.orDie(drop(server, url)))

/** Creates a database without tables on the shared server, and drops it with the scope. Returns its URL. */
export const make: Effect.Effect<string, SqlError, Scope.Scope> = Effect.suspend(() => on(inject("postgresUrl")))

/**
 * Options of a database with the collation of English. It orders `a`, `B`, `c` and puts signs last, unlike their code
 * points.
 */
const english = "LOCALE_PROVIDER icu ICU_LOCALE 'en-US' TEMPLATE template0"

/** Like {@link make}, with the collation of English, in which texts are not ordered by their code points. */
export const makeInEnglish: Effect.Effect<string, SqlError, Scope.Scope> = Effect.suspend(() =>
  on(inject("postgresUrl"), english)
)

/** The databases that no test of this process uses at the moment, by the options of their creation and their cell. */
const idle = new Map<string, Array<string>>()

/**
 * Lends a database to the scope. It has the tables that its last user created, without rows, and its sequences are at
 * their start. A new database has no tables. Deleting rows is cheaper than creating tables.
 *
 * A test that changes tables, or that needs a database without tables, uses {@link make}.
 */
const lend = (options: string, cell = 0, schema = "public"): Effect.Effect<string, SqlError, Scope.Scope> => {
  const kind = `${options} ${cell} ${schema}`
  return Effect.acquireRelease(
    Effect.suspend(() => {
      const url = idle.get(kind)?.pop()
      return url === undefined ? create(inject("postgresUrl"), options, inject("lentDatabases")) : Effect.succeed(url)
    }),
    (url) =>
      clear(url, schema).pipe(
        Effect.andThen(Effect.sync(() => idle.set(kind, [...(idle.get(kind) ?? []), url]))),
        Effect.catch(() => Effect.orDie(drop(inject("postgresUrl"), url)))
      )
  )
}

/** Lends a database without rows. See {@link lend}. */
export const withTables: Effect.Effect<string, SqlError, Scope.Scope> = lend("")

/** Like {@link withTables}, with the collation of English. */
export const withTablesInEnglish: Effect.Effect<string, SqlError, Scope.Scope> = lend(english)

/** Lends a database without rows to tests that migrate it with this cell. See {@link lend}. */
export const withTablesInCell = (cell: number): Effect.Effect<string, SqlError, Scope.Scope> => lend("", cell)

/** Like {@link withTables}, lends a database to tests that create the tables in this schema. */
export const withTablesInSchema = (schema: string): Effect.Effect<string, SqlError, Scope.Scope> => lend("", 0, schema)

/**
 * Ends all other connections, and deletes all rows of a schema except the list of migrations. The installation gets a new
 * id, and its cell stays.
 */
const clear = (url: string, schema: string) =>
  administer(
    url,
    `DO $$ DECLARE name text; BEGIN
      -- Deleted rows stay in the files until a vacuum, and statements read them. A large database is dropped instead.
      IF pg_database_size(current_database()) > 24 * 1024 * 1024 THEN RAISE EXCEPTION 'too large to lend again'; END IF;
      PERFORM pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid();
      SET LOCAL search_path TO ${schema};
      -- Triggers and foreign keys are off: each table is cleared alone.
      SET LOCAL session_replication_role = replica;
      FOR name IN SELECT tablename FROM pg_tables
        WHERE schemaname = current_schema() AND tablename NOT IN ('frontdesk_migration', 'installation')
      LOOP EXECUTE format('DELETE FROM %I', name); END LOOP;
      PERFORM setval(format('%I', sequencename)::regclass, start_value, false) FROM pg_sequences
        WHERE schemaname = current_schema();
      IF to_regclass('installation') IS NOT NULL THEN
        UPDATE installation SET id = CAST(gen_random_uuid() AS text), copied = NULL;
      END IF;
    END $$`
  )
