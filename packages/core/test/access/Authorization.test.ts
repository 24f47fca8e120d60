import { describe, expect, it } from "@effect/vitest"
import { Accounts, defaultSettings } from "@frontdesk/core/account/Accounts"
import { authorize } from "@frontdesk/core/access/Authorization"
import { type Operation, permissions } from "@frontdesk/core/access/Permission"
import * as Permission from "@frontdesk/core/access/Permission"
import { Principal } from "@frontdesk/core/access/Principal"
import { MemoryStorage } from "@frontdesk/storage-memory"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const services = Layer.provideMerge(Accounts.layer, MemoryStorage.layer)

const account = Effect.flatMap(Accounts, (accounts) =>
  accounts.create({ name: "Acme", role: "standard", partnerId: null, teamIds: [], settings: defaultSettings })
)

describe("Authorization", () => {
  const operations = Object.keys(permissions).filter(isOperation)

  it.effect.each(operations)("%s needs exactly the permission of its row in the table (C-5-11)", (operation) =>
    Effect.gen(function* () {
      const caller = yield* account
      for (const permission of Permission.all) {
        const principal = { account: caller, apiKeyId: null, permissions: new Set([permission]) }
        const outcome = yield* authorize(operation).pipe(Effect.provideService(Principal, principal), Effect.exit)
        expect(outcome._tag).toBe(permission === permissions[operation] ? "Success" : "Failure")
      }
    }).pipe(Effect.provide(services))
  )

  it.effect("a key without permissions may do no operation (D-KEY-3)", () =>
    Effect.gen(function* () {
      const principal = { account: yield* account, apiKeyId: null, permissions: new Set<Permission.Permission>() }
      for (const operation of operations) {
        const error = yield* authorize(operation).pipe(Effect.provideService(Principal, principal), Effect.flip)
        expect(error).toMatchObject({ _tag: "PermissionDenied", permission: permissions[operation] })
      }
    }).pipe(Effect.provide(services))
  )
})

function isOperation(name: string): name is Operation {
  return name in permissions
}
