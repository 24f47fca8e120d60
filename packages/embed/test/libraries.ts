import type { PrismaTransaction, TransactionHandle } from "@frontdesk/embed"
import { fromDrizzle, fromKnex, fromKysely, fromPrisma } from "@frontdesk/embed"
import { PrismaPg } from "@prisma/adapter-pg"
import { getPrismaClient } from "@prisma/client/runtime/client"
import { sql } from "drizzle-orm"
import { drizzle } from "drizzle-orm/node-postgres"
import knex from "knex"
import { Kysely, PostgresDialect } from "kysely"
import type { Pool } from "pg"

/** What a test does in a transaction of a library: its handle, and a function that inserts into the program's own table. */
export interface OpenLibrary {
  readonly handle: TransactionHandle
  readonly insertNote: (text: string) => Promise<unknown>
}

/** Runs work in a transaction of a library. */
export type InLibrary = <A>(work: (open: OpenLibrary) => Promise<A>) => Promise<A>

interface Library {
  readonly transaction: InLibrary
  readonly close: () => Promise<void>
}

const withKysely = (pool: Pool): Library => {
  // A program often logs the text of each statement.
  const db = new Kysely<{ crm_note: { text: string } }>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void query.sql.trim()
  })
  return {
    transaction: (work) =>
      db.transaction().execute((trx) =>
        work({
          handle: fromKysely(trx),
          insertNote: (text) => trx.insertInto("crm_note").values({ text }).execute()
        })
      ),
    close: () => Promise.resolve()
  }
}

const withDrizzle = (pool: Pool): Library => {
  const db = drizzle({ client: pool })
  return {
    transaction: (work) =>
      db.transaction((tx) =>
        work({
          handle: fromDrizzle(tx),
          insertNote: (text) => tx.execute(sql`INSERT INTO crm_note VALUES (${text})`)
        })
      ),
    close: () => Promise.resolve()
  }
}

const withKnex = (pool: Pool): Library => {
  const db = knex({ client: "pg", connection: String(pool.options.connectionString), pool: { min: 0, max: 3 } })
  return {
    transaction: (work) =>
      db.transaction((trx) =>
        work({ handle: fromKnex(trx), insertNote: async (text) => void (await trx("crm_note").insert({ text })) })
      ),
    close: () => db.destroy()
  }
}

/** The client that `prisma generate` makes for a schema without models. */
const PrismaClient = getPrismaClient({
  previewFeatures: [],
  clientVersion: "7.10.0",
  engineVersion: "none",
  activeProvider: "postgresql",
  inlineSchema: 'datasource db {\n  provider = "postgresql"\n}\n',
  runtimeDataModel: { models: {}, enums: {}, types: {} },
  parameterizationSchema: { strings: [], graph: "AAAA" },
  compilerWasm: {
    getRuntime: () => import("@prisma/client/runtime/query_compiler_fast_bg.postgresql.mjs"),
    getQueryCompilerWasmModule: async () => {
      const { wasm } = await import("@prisma/client/runtime/query_compiler_fast_bg.postgresql.wasm-base64.mjs")
      return new WebAssembly.Module(Buffer.from(wasm, "base64"))
    },
    importName: "./query_compiler_fast_bg.js"
  }
})

const withPrisma = (pool: Pool): Library => {
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) })
  return {
    transaction: (work) =>
      prisma.$transaction(
        (tx: PrismaTransaction) =>
          work({
            handle: fromPrisma(tx),
            insertNote: (text) => tx.$executeRawUnsafe("INSERT INTO crm_note VALUES ($1)", text)
          }),
        { timeout: 60_000 }
      ),
    close: () => prisma.$disconnect()
  }
}

/** Each library whose transactions Frontdesk joins. */
export const libraries = { Kysely: withKysely, Drizzle: withDrizzle, Knex: withKnex, Prisma: withPrisma }
