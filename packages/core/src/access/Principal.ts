import * as Context from "effect/Context"
import type { Account } from "./Account.ts"
import type { ApiKeyId } from "./ApiKey.ts"
import type { Permission } from "./Permission.ts"

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
    readonly permissions: ReadonlySet<Permission>
  }
>()("@frontdesk/core/access/Principal") {}
