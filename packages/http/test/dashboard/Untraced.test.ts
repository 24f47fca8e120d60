import * as FrontdeskHttp from "@frontdesk/http/FrontdeskHttp"
import * as RecordingTracer from "@frontdesk/testing/RecordingTracer"
import * as Layer from "effect/Layer"
import * as Tracer from "effect/Tracer"
import { expect, it } from "vitest"
import { services } from "../testApi.ts"

it("a program that traces requests gets no span with the token of a sign-in link", async () => {
  const { spans, tracer } = RecordingTracer.make()
  const { dispose, handler } = FrontdeskHttp.toWebHandler(
    Layer.merge(services(), Layer.succeed(Tracer.Tracer, tracer)),
    { dashboard: { mount: "/dashboard", origin: "https://desk.example.com" } }
  )
  expect((await handler(new Request("https://desk.example.com/dashboard/sign-in/secret-token"))).status).toBe(200)
  expect((await handler(new Request("https://desk.example.com/dashboard"))).status).toBe(401)
  await dispose()
  const seen = JSON.stringify(spans.map(({ attributes, name }) => [name, ...attributes.entries()]))
  expect(seen).toContain("/dashboard")
  expect(seen).not.toContain("secret-token")
})
