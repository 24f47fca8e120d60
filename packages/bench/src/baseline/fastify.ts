import { fastify, type FastifyReply, type FastifyRequest } from "fastify"
import * as Control from "../http/Control.ts"
import * as Access from "./Access.ts"
import * as Database from "./Database.ts"
import { eventReader } from "./EventRead.ts"
import { eventWriter, type NewEvent } from "./EventWrite.ts"
import * as Schemas from "./Schemas.ts"

declare module "fastify" {
  interface FastifyRequest {
    caller: Access.Caller | null
  }
}

const database = Database.open(Control.filename)
const authenticate = Access.authentication(database)
const limit = Access.rateLimit(999_999_999, 60)
const readEvent = eventReader(database)
const writeEvent = eventWriter(database)

const app = fastify({
  logger: false,
  bodyLimit: 1_048_576,
  ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allErrors: true, formats: Schemas.formats } }
})

const requestIdForm = /^[A-Za-z0-9._-]{1,128}$/
const prefix = Math.random().toString(36).slice(2)
let count = 0

const requestId = (sent: unknown): string =>
  typeof sent === "string" && requestIdForm.test(sent) ? sent : `${prefix}.${(++count).toString(36)}`

app.decorateRequest("caller", null)

/** Checks the caller, its permission and its rate limit before the body is read. */
const guard = (permission: string) => (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
  const now = Date.now()
  reply.header("x-request-id", requestId(request.headers["x-request-id"])).header("cache-control", "no-store")
  const caller = authenticate(request.headers.authorization, now)
  if (!caller.permissions.includes(permission)) {
    throw new Access.Refused(403, "permission_denied", `The API key lacks the permission ${permission}`)
  }
  reply.headers(limit(caller.keyId, now))
  request.caller = caller
  done()
}

/** Returns the body without the fields that are null, because null counts as absent in a create. */
const withoutNulls = (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
  const { body } = request
  if (typeof body === "object" && body !== null && Object.values(body).includes(null)) {
    request.body = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
  }
  done()
}

const callerOf = ({ caller }: FastifyRequest): Access.Caller => {
  if (caller === null) throw new Error("The request has no caller.")
  return caller
}

app.get<{ Params: { event_id: string } }>(
  "/api/v1/calendar/events/:event_id",
  {
    onRequest: guard("can_read_calendar"),
    schema: { params: Schemas.eventParams, response: { 200: Schemas.event } }
  },
  (request, reply) => {
    reply.send(readEvent(callerOf(request), request.params.event_id))
  }
)

app.post<{ Body: NewEvent }>(
  "/api/v1/calendar/events/create",
  {
    onRequest: guard("can_write_calendar"),
    preValidation: withoutNulls,
    schema: { body: Schemas.newEvent, response: { 201: Schemas.eventWritten } }
  },
  (request, reply) => {
    reply.code(201).send(writeEvent(callerOf(request), request.body, Date.now()))
  }
)

app.setErrorHandler((error, _request, reply) => {
  if (error instanceof Access.Refused)
    return reply.code(error.statusCode).send({ error: error.code, message: error.message })
  const isInvalid = typeof error === "object" && error !== null && "validation" in error
  return isInvalid
    ? reply.code(400).send({ error: "validation_error", message: "Some fields are not valid" })
    : reply.code(500).send({ error: "server_error", message: "Something went wrong on our side" })
})

const address = new URL(await app.listen({ port: 0, host: "127.0.0.1" }))
Control.listening(Number(address.port))
