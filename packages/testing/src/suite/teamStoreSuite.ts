import { TeamId } from "@frontdesk/core/access/Team"
import { TeamStore } from "@frontdesk/core/access/TeamStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Samples from "./Samples.ts"
import type { StorageLayer, SuiteOptions } from "./Storage.ts"
import { expect } from "./Expect.ts"
import { layer } from "./Tests.ts"

/** Verifies a `TeamStore`. */
export const teamStoreSuite = <E>(name: string, storage: StorageLayer<E>, options: SuiteOptions = {}): void => {
  layer(storage, options)(`${name}: TeamStore`, (it) => {
    it.effect("find returns a new team with any text as its name", () =>
      Effect.gen(function* () {
        const teams = yield* TeamStore
        for (const text of Samples.oddTexts) {
          const team = yield* teams.insert(text)
          expect(yield* teams.find(team.id)).toEqual(Option.some({ id: team.id, name: text }))
        }
      })
    )

    it.effect("two teams with the same name have different ids", () =>
      Effect.gen(function* () {
        const [a, b] = [yield* Samples.makeTeam("Twins"), yield* Samples.makeTeam("Twins")]
        expect(a.id).not.toBe(b.id)
      })
    )

    it.effect("rename changes the name of one team only", () =>
      Effect.gen(function* () {
        const teams = yield* TeamStore
        const [team, other] = [yield* Samples.makeTeam(), yield* Samples.makeTeam()]
        yield* teams.rename(team.id, "Support")
        expect(yield* teams.find(team.id)).toEqual(Option.some({ id: team.id, name: "Support" }))
        expect(yield* teams.find(other.id)).toEqual(Option.some(other))
      })
    )

    it.effect("find returns none for an id that no team has", () =>
      Effect.gen(function* () {
        expect(yield* (yield* TeamStore).find(TeamId.make(999_999_999_999))).toEqual(Option.none())
      })
    )
  })
}
