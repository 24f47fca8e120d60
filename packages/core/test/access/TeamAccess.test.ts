import { describe, expect, it } from "@effect/vitest"
import { Principal } from "@frontdesk/core/access/Principal"
import * as Permission from "@frontdesk/core/access/Permission"
import { TeamId } from "@frontdesk/core/access/Team"
import { requireTeam } from "@frontdesk/core/access/TeamAccess"
import { MemoryStorage } from "@frontdesk/storage-memory"
import { makeAccount, makeTeam } from "@frontdesk/testing/suite/Samples"
import * as Effect from "effect/Effect"

describe("requireTeam", () => {
  it.effect("a caller may name its own team, and the error about any other team has the team's id (D-TEAM-2)", () =>
    Effect.gen(function* () {
      const [own, other] = [yield* makeTeam("Sales"), yield* makeTeam("Support")]
      const account = yield* makeAccount({ teamIds: [own.id] })
      const principal = { account, apiKeyId: null, permissions: new Set(Permission.all) }
      const require = (id: TeamId) => Effect.provideService(requireTeam(id), Principal, principal)
      const unknown = TeamId.make(999)
      expect(yield* require(own.id)).toEqual(own)
      expect(yield* Effect.flip(require(other.id))).toMatchObject({ _tag: "TeamAccessDenied", teamId: other.id })
      expect(yield* Effect.flip(require(unknown))).toMatchObject({ _tag: "TeamNotFound", teamId: unknown })
    }).pipe(Effect.provide(MemoryStorage.layer))
  )
})
