import type { FastifyReply, FastifyRequest } from "fastify"
import * as Control from "../http/Control.ts"
import * as Application from "./Application.ts"
import type { NewEvent } from "./NewEvent.ts"
import * as PostgresAccess from "./PostgresAccess.ts"
import * as PostgresDatabase from "./PostgresDatabase.ts"
import * as PostgresEvents from "./PostgresEvents.ts"

const pool = PostgresDatabase.open(Control.databaseUrl)
const link = await PostgresEvents.readLinkSigner(pool)
const authenticate = PostgresAccess.authentication(pool)
const limit = PostgresAccess.rateLimit(pool, Application.limit)
const readEvent = PostgresEvents.eventReader(pool, link)
const writeEvent = PostgresEvents.eventWriter(pool, link)

const app = Application.make()

/** Checks the caller, its permission and its rate limit before the body is read. */
const guard = (permission: string) => async (request: FastifyRequest, reply: FastifyReply) => {
  const now = Date.now()
  Application.begin(request, reply)
  const caller = await authenticate(request.headers.authorization, now)
  Application.requirePermission(caller, permission)
  reply.headers(await limit(caller.keyId, now))
  request.caller = caller
}

const { create, read } = Application.routes

app.get<{ Params: { event_id: string } }>(
  read.path,
  { ...read.options, onRequest: guard(read.permission) },
  (request) => readEvent(Application.callerOf(request), request.params.event_id)
)

app.post<{ Body: NewEvent }>(
  create.path,
  { ...create.options, onRequest: guard(create.permission) },
  async (request, reply) => {
    const written = await writeEvent(Application.callerOf(request), request.body, Date.now())
    return reply.code(201).send(written)
  }
)

const address = new URL(await app.listen({ port: 0, host: "127.0.0.1" }))
Control.listening(Number(address.port))
