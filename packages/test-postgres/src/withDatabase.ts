import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as TestDatabase from "./TestDatabase.ts"

/** Runs a test with the URL of a database of its own, by default an empty one, which is dropped afterwards. */
export const withDatabase = async (
  test: (url: string) => Promise<void>,
  database: typeof TestDatabase.make = TestDatabase.make
): Promise<void> => {
  const scope = Scope.makeUnsafe()
  try {
    await test(await Effect.runPromise(Effect.provideService(database, Scope.Scope, scope)))
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
}
