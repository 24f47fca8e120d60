/** A program as a user writes it, which embeds the API with all services. */
import process from "node:process"
import * as Template from "@frontdesk/core/variable/Template"
import { FrontdeskHttp } from "@frontdesk/http"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Assembly, Settings } from "frontdesk"

const { text } = Result.getOrThrow(Template.render("Hello {{name}}", () => "Jo"))
const settings = await Effect.runPromise(Settings.load({ "database-url": "sqlite::memory:", "log-level": "none" }))
const api = FrontdeskHttp.toWebHandler(Assembly.layer(settings))
const { status } = await api.handler(new Request("http://localhost/openapi.json"))
await api.dispose()
process.stdout.write(`${text}\n${status}\n`)
