import { describe, expect, it } from "@effect/vitest"
import { StorageError } from "@frontdesk/core/storage/StorageError"
import * as Cause from "effect/Cause"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Observability from "frontdesk/Observability"

const decodeLine = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Json)))

/** Runs an effect and returns the decoded lines of its JSON log. */
const logged = (effect: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const lines: Array<unknown> = []
    const captured: Console.Console = { ...console, error: (line: unknown) => void lines.push(line) }
    yield* effect.pipe(
      Effect.provide(Observability.layer({ logFormat: "json", logLevel: "Info", otlpUrl: null })),
      Effect.provideService(Console.Console, captured)
    )
    return lines.map((line) => decodeLine(line))
  })

describe("the JSON log", () => {
  it.effect(
    "has one text as the message of each line, further logged values as its details, and a cause as its cause",
    () =>
      Effect.gen(function* () {
        const error = new StorageError({
          reason: "unavailable",
          operation: "X.y",
          cause: new Error("the disk is full")
        })
        const lines = yield* logged(
          Effect.logInfo("alone").pipe(
            Effect.andThen(Effect.logWarning("with an error", error)),
            Effect.andThen(Effect.logError("with a cause", Cause.fail(error)))
          )
        )
        expect(lines.map(({ details, level, message }) => ({ details, level, message }))).toEqual([
          { level: "INFO", message: "alone", details: undefined },
          {
            level: "WARN",
            message: "with an error",
            details: [
              {
                _tag: "StorageError",
                reason: "unavailable",
                operation: "X.y",
                cause: { name: "Error", message: "the disk is full" }
              }
            ]
          },
          { level: "ERROR", message: "with a cause", details: undefined }
        ])
        expect(lines[2]?.["cause"]).toContain("the disk is full")
      })
  )
})
