import { Cell } from "@frontdesk/core/access/Cell"
import { InstallationStore } from "@frontdesk/core/access/InstallationStore"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Verifies an `InstallationStore`. */
export const installationStoreSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: InstallationStore`, (it) => {
    it.effect("cell returns a number from 0 to 8191, which is the same each time", () =>
      Effect.gen(function* () {
        const { cell } = yield* InstallationStore
        const found = yield* cell
        expect(Schema.is(Cell)(found)).toBe(true)
        expect(yield* cell).toBe(found)
      })
    )

    it.effect("secret stores the first candidate and returns it to every later caller", () =>
      Effect.gen(function* () {
        const secretName = Samples.unique("secret")
        expect(yield* secret(secretName, "first")).toBe("first")
        expect(yield* secret(secretName, "second")).toBe("first")
      })
    )

    it.effect("secret stores a separate secret for each name", () =>
      Effect.gen(function* () {
        expect(yield* secret(Samples.unique("secret"), "a")).toBe("a")
        expect(yield* secret(Samples.unique("secret"), "b")).toBe("b")
      })
    )

    it.effect("concurrent calls of secret with different candidates all return the same candidate", () =>
      Effect.gen(function* () {
        const secretName = Samples.unique("secret")
        const candidates = Array.from({ length: 20 }, (_, index) => `candidate ${index}`)
        const got = yield* Effect.forEach(candidates, (candidate) => secret(secretName, candidate), {
          concurrency: "unbounded"
        })
        expect(new Set(got).size).toBe(1)
        expect(candidates).toContain(got[0])
      })
    )

    it.effect(
      "secrets lists a secret under its name, and replaceSecret replaces it only if it equals the expected one",
      () =>
        Effect.gen(function* () {
          const installation = yield* InstallationStore
          const [name, other] = [Samples.unique("secret"), Samples.unique("secret")]
          yield* secret(name, "first")
          yield* secret(other, "first")
          const replace = (before: string, after: string) =>
            installation.replaceSecret(name, Redacted.make(before), Samples.stored(after))
          expect(yield* replace("never", "second")).toBe(false)
          expect(yield* replace("first", "second")).toBe(true)
          expect(yield* replace("first", "third")).toBe(false)
          const listed = new Map((yield* installation.secrets).map((row) => [row.name, Redacted.value(row.stored)]))
          expect([listed.get(name), listed.get(other)]).toEqual(["second", "first"])
          expect(yield* secret(name, "late")).toBe("second")
        })
    )
  })
}

const secret = (name: string, candidate: string) =>
  Effect.flatMap(InstallationStore, (installation) =>
    Effect.map(installation.secret(name, Samples.stored(candidate)), Redacted.value)
  )
