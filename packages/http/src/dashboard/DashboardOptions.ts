import type { AccountId } from "@frontdesk/core/access/Account"
import type { MemberRole } from "@frontdesk/core/access/MemberRole"
import type { StorageError } from "@frontdesk/core/storage/StorageError"
import type * as Effect from "effect/Effect"
import type { DashboardFiles } from "./DashboardFiles.ts"
import type { ApiRequest } from "../request/ApiRequest.ts"

/** A user of the program, as it uses the dashboard. */
export interface DashboardUser {
  readonly accountId: AccountId
  readonly role: MemberRole
  /** The id of the user in the program. It also names the rate limit bucket. Default: all users of the account share one. */
  readonly userId?: string | undefined
  /** The name that other people see. Default: "". */
  readonly name?: string | undefined
  /**
   * Whether the user is the operator of the installation, who sees the accounts of all customers and makes deposits to them
   * (D-OP-1). Default: false.
   */
  readonly isOperator?: boolean | undefined
}

/** Returns whether a page may lead a person to this URL: one over http or https, or a path of the same origin. */
export const isSignInUrl = (text: string): boolean =>
  /^(?:https?:\/\/|\/(?![\\/]))\S*$/.test(text) && URL.canParse(text, "http://a")

/** How the dashboard is served (D-MEM-10). */
export interface DashboardOptions {
  /** The path of the dashboard, such as `/dashboard`. People call the API below `<mount>/api/v1`. */
  readonly mount: `/${string}`
  /**
   * The origin at which browsers reach the server, such as `https://api.example.com`. It decides whether cookies are secure, and
   * which requests are of the same site. Default: the host of the request, over http.
   */
  readonly origin?: string | undefined
  /**
   * Finds the user of a request in place of sign-in links and sessions, for a program with users of its own. Null: the request
   * fails with 401. It receives the request without its body.
   */
  readonly resolve?: ((request: ApiRequest) => Effect.Effect<DashboardUser | null, StorageError>) | undefined
  /**
   * Where a person without a user signs in to the program: an absolute URL, or a path of the same origin such as `/sign-in`. The
   * page "Not signed in" leads there. Only with `resolve`. Default: the page only says that the program signs people in.
   */
  readonly signInUrl?: string | undefined
  /** The pages of the dashboard. Default: a page that only says who is signed in. */
  readonly files?: DashboardFiles | undefined
  /** Whether the dashboard changes nothing, whatever the roles of people are. Default: false. */
  readonly readOnly?: boolean | undefined
}
