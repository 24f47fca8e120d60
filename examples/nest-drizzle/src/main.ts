// oxlint-disable-next-line import/no-unassigned-import -- Nest needs it before its own modules.
import "reflect-metadata"
import { Frontdesk, fromDrizzle } from "@frontdesk/embed"
import { Body, Controller, Inject, Module, type OnApplicationShutdown, Post } from "@nestjs/common"
import { NestFactory } from "@nestjs/core"
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres"
import { integer, pgTable, text } from "drizzle-orm/pg-core"
import { Pool } from "pg"

const order = pgTable("customer_order", { contactId: integer("contact_id").notNull(), item: text("item").notNull() })

interface NewOrder {
  readonly name: string
  readonly item: string
}

@Controller("orders")
class OrderController {
  constructor(
    @Inject(Frontdesk) private readonly frontdesk: Frontdesk,
    @Inject("db") private readonly db: NodePgDatabase
  ) {}

  @Post()
  async create(@Body() { item, name }: NewOrder) {
    const { contact, joined } = await this.db.transaction(async (tx) => {
      const joined = this.frontdesk.join(fromDrizzle(tx))
      const contact = await joined.as("acme").contacts.create({ firstName: name, customContext: { item } })
      await tx.insert(order).values({ contactId: contact.id, item })
      return { contact, joined }
    })
    await joined.committed()
    return contact
  }
}

const pool = new Pool({ connectionString: process.env["DATABASE_URL"] })
await pool.query("CREATE TABLE IF NOT EXISTS customer_order (contact_id integer NOT NULL, item text NOT NULL)")

@Module({
  controllers: [OrderController],
  providers: [
    { provide: Frontdesk, useFactory: () => Frontdesk.open({ storage: { postgres: { pool, schema: "voice" } } }) },
    { provide: "db", useFactory: () => drizzle({ client: pool }) }
  ]
})
class AppModule implements OnApplicationShutdown {
  constructor(@Inject(Frontdesk) private readonly frontdesk: Frontdesk) {}

  async onApplicationShutdown() {
    await this.frontdesk.close()
    await pool.end()
  }
}

const app = await NestFactory.create(AppModule, { logger: ["error"] })
app.enableShutdownHooks()

const frontdesk = app.get(Frontdesk)
await frontdesk.provision({ accounts: [{ ref: "acme", name: "Acme" }] })

// A guard of the program would have stored its user in the request. This one knows a single user.
const users: ReadonlyMap<string | undefined, string> = new Map([["Bearer jo", "acme"]])
app.use(
  frontdesk.nest({
    basePath: "/voice",
    authenticate: (_, { headers }: { readonly headers: { readonly authorization?: string } }) => {
      const accountId = users.get(headers.authorization)
      return accountId !== undefined && { accountId, permissions: ["*"] }
    }
  })
)

await app.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1")
console.log(await app.getUrl())
