import type { FastifyReply, FastifyRequest } from "fastify"
import * as Control from "../http/Control.ts"
import * as Access from "./Access.ts"
import * as Application from "./Application.ts"
import * as Database from "./Database.ts"
import { eventReader } from "./EventRead.ts"
import { eventWriter } from "./EventWrite.ts"
import type { NewEvent } from "./NewEvent.ts"

const database = Database.open(Control.databaseUrl.replace(/^sqlite:/, ""))
const authenticate = Access.authentication(database)
const limit = Access.rateLimit(Application.limit)
const readEvent = eventReader(database)
const writeEvent = eventWriter(database)

const app = Application.make()

/** Checks the caller, its permission and its rate limit before the body is read. */
const guard = (permission: string) => (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
  const now = Date.now()
  Application.begin(request, reply)
  const caller = authenticate(request.headers.authorization, now)
  Application.requirePermission(caller, permission)
  reply.headers(limit(caller.keyId, now))
  request.caller = caller
  done()
}

const { create, read } = Application.routes

app.get<{ Params: { event_id: string } }>(
  read.path,
  { ...read.options, onRequest: guard(read.permission) },
  (request, reply) => {
    reply.send(readEvent(Application.callerOf(request), request.params.event_id))
  }
)

app.post<{ Body: NewEvent }>(
  create.path,
  { ...create.options, onRequest: guard(create.permission) },
  (request, reply) => {
    reply.code(201).send(writeEvent(Application.callerOf(request), request.body, Date.now()))
  }
)

const address = new URL(await app.listen({ port: 0, host: "127.0.0.1" }))
Control.listening(Number(address.port))
