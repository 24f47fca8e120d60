import type { Account } from "@frontdesk/core/access/Account"
import { Accounts, defaultSettings } from "@frontdesk/core/account/Accounts"
import * as Permission from "@frontdesk/core/access/Permission"
import { Principal } from "@frontdesk/core/access/Principal"
import type { TeamId } from "@frontdesk/core/access/Team"
import * as Effect from "effect/Effect"

/** Creates an account in the given teams. */
export const newAccount = (
  options: { readonly teamIds?: ReadonlyArray<TeamId>; readonly settings?: Partial<Account["settings"]> } = {}
) =>
  Effect.flatMap(Accounts, (accounts) =>
    accounts.create({
      name: "Acme",
      role: "standard",
      partnerId: null,
      teamIds: options.teamIds ?? [],
      settings: { ...defaultSettings, ...options.settings }
    })
  )

/** Runs an effect with the account as caller, with every permission. */
export const as = (account: Account) =>
  Effect.provideService(Principal, { account, apiKeyId: null, permissions: new Set(Permission.all) })
