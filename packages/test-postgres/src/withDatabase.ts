import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as TestDatabase from "./TestDatabase.ts"

/** Runs a test with the URL of an empty database of its own, which is dropped afterwards. */
export const withDatabase = async (test: (url: string) => Promise<void>): Promise<void> => {
  const scope = Scope.makeUnsafe()
  try {
    await test(await Effect.runPromise(Effect.provideService(TestDatabase.make, Scope.Scope, scope)))
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
}
