// DATABASE=clinic.db PORT=8080 node src/main.ts
import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { FrontdeskHttp } from "@frontdesk/http"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { provision } from "./account.ts"
import * as Services from "./Services.ts"

const program = Effect.gen(function* () {
  const key = yield* provision
  const { serve, address } = yield* HttpServer.HttpServer
  yield* serve(yield* FrontdeskHttp.make({ docs: false }))
  yield* Console.log(`listening on ${HttpServer.formatAddress(address)}`)
  if (key !== undefined) yield* Console.log(`key ${Redacted.value(key)}`)
  return yield* Effect.never
})

const layer = Layer.merge(
  Services.layer(process.env["DATABASE"] ?? "clinic.db"),
  NodeHttpServer.layerServer(createServer, { port: Number(process.env["PORT"] ?? 8080), host: "127.0.0.1" })
)

NodeRuntime.runMain(Effect.scoped(Effect.provide(program, layer)))
