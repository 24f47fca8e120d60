import { ApiKeys } from "@frontdesk/core/access/ApiKeys"
import type { Contacts } from "@frontdesk/core/contact/Contacts"
import { StorageError, type StorageErrorReason } from "@frontdesk/core/storage/StorageError"
import { allCodes, errorCodes } from "@frontdesk/http/ErrorCode"
import { problemOf } from "@frontdesk/http/ErrorTable"
import * as FrontdeskHttp from "@frontdesk/http/FrontdeskHttp"
import * as LogCapture from "@frontdesk/testing/LogCapture"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { describe, expect, it } from "vitest"
import { ask, refusal, services } from "./testApi.ts"

const root = path.resolve(import.meta.dirname, "../../..")

describe("the error table (D-ERR-1)", () => {
  it("docs/errors.md has every code with its status and meaning, and no other code", async () => {
    const page = await fs.readFile(path.join(root, "docs/errors.md"), "utf8")
    const rows = page.split("\n").flatMap((line) => (/^\| \d{3} /.test(line) ? [line.replaceAll(/ +\|/g, " |")] : []))
    const expected = allCodes
      .toSorted((a, b) => errorCodes[a].status - errorCodes[b].status)
      .map((code) => `| ${errorCodes[code].status} | \`${code}\` | ${errorCodes[code].meaning} |`)
    expect(rows).toEqual(expected)
  })

  it("has every code of the contract with its status (C-7-2 to C-7-21)", () => {
    const contract = {
      invalid_json: 400,
      validation_error: 400,
      missing_parameter: 400,
      duplicate_variable: 400,
      invalid_value: 400,
      undefined_variable: 400,
      invalid_datetime_format: 400,
      invalid_time_range: 400,
      invalid_parameter: 400,
      invalid_parameter_format: 400,
      invalid_duration: 400,
      authentication_required: 401,
      invalid_key: 401,
      permission_denied: 403,
      team_access_denied: 403,
      delete_not_allowed: 403,
      not_found: 404,
      team_not_found: 404,
      agent_not_found: 404,
      server_error: 500
    }
    const present = Object.fromEntries(
      Object.keys(contract).map((code) => [
        code,
        new Map(Object.entries(errorCodes).map(([name, { status }]) => [name, status])).get(code)
      ])
    )
    expect(present).toEqual(contract)
  })

  it.each([
    ["unavailable", "service_unavailable"],
    ["conflict", "service_unavailable"],
    ["duplicate", "server_error"],
    ["corrupt", "server_error"],
    ["unknown", "server_error"]
  ] as const)("a StorageError with the reason %s becomes %s", (reason, code) => {
    expect(problemOf(new StorageError({ reason, operation: "x", cause: "secret" })).code).toBe(code)
  })

  /** Makes the API on services of which some fail. `lines` has its log lines. */
  const makeFailingApi = (stubs: Layer.Layer<never> | Layer.Layer<ApiKeys> | Layer.Layer<Contacts>) => {
    const lines: Array<string> = []
    const layer = Layer.mergeAll(
      services(),
      stubs,
      LogCapture.layer(({ json }) => void lines.push(json), "Info")
    )
    const { dispose, handler } = FrontdeskHttp.toWebHandler(layer)
    return {
      lines,
      dispose,
      get: (url: string, headers: Record<string, string> = {}) => ask(handler, "http://localhost", url, { headers })
    }
  }

  const storageError = (reason: StorageErrorReason) =>
    new StorageError({ reason, operation: "find", cause: new Error("secret words") })

  const keys = (authenticate: ApiKeys["Service"]["authenticate"]) =>
    Layer.succeed(ApiKeys, {
      create: () => Effect.die("unused"),
      list: () => Effect.die("unused"),
      rotate: () => Effect.die("unused"),
      revoke: () => Effect.die("unused"),
      authenticate
    })

  const bearer = { authorization: "Bearer x", "x-request-id": "my-request" }

  it("500 server_error does not reveal its cause, which is logged with the request id (D-ERR-13)", async () => {
    for (const authenticate of [
      () => Effect.die(new Error("secret words")),
      () => Effect.fail(storageError("corrupt"))
    ]) {
      const { dispose, get, lines } = makeFailingApi(keys(authenticate))
      const answer = await get("/api/v1/agents", bearer)
      expect(answer.status).toBe(500)
      expect(answer.json).toEqual({
        error: "server_error",
        message: "An internal error occurred. The server has logged its cause under the X-Request-Id of this answer"
      })
      expect(answer.headers.get("x-request-id")).toBe("my-request")
      expect(lines.filter((line) => line.includes("my-request"))).toHaveLength(1)
      await dispose()
    }
  })

  it("a request gets 503 with Retry-After when the storage cannot be reached (D-ERR-16)", async () => {
    const { dispose, get } = makeFailingApi(keys(() => Effect.fail(storageError("unavailable"))))
    const answer = await get("/api/v1/agents", bearer)
    expect(answer.status).toBe(503)
    expect(answer.json).toEqual(refusal("service_unavailable"))
    expect(answer.headers.get("retry-after")).toBe("1")
    expect(answer.text).not.toContain("secret")
    await dispose()
  })

  it("an error of the client is not logged", async () => {
    const { dispose, get, lines } = makeFailingApi(Layer.empty)
    await get("/nowhere")
    await get("/api/v1/agents")
    expect(lines).toEqual([])
    await dispose()
  })
})
