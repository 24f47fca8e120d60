import * as Context from "effect/Context"
import type { Account } from "./Account.ts"
import type { ApiKeyId } from "./ApiKey.ts"
import * as Permission from "./Permission.ts"

/**
 * The caller of the present request: its account and the permissions of its key.
 *
 * @effect-leakable-service
 */
export class Principal extends Context.Service<
  Principal,
  {
    readonly account: Account
    /** The key of the request. Null when a program that embeds the core acts for an account. */
    readonly apiKeyId: ApiKeyId | null
    readonly permissions: ReadonlySet<Permission.Permission>
  }
>()("@frontdesk/core/access/Principal") {}

const allPermissions: ReadonlySet<Permission.Permission> = new Set(Permission.all)

/** Returns the caller for whom a program acts in the name of an account, with every permission and without a key. */
export const ofAccount = (account: Account): Principal["Service"] => ({
  account,
  apiKeyId: null,
  permissions: allPermissions
})
