import { ofAccount, Principal } from "@frontdesk/core/access/Principal"
import { signInPath } from "@frontdesk/core/people/DashboardSite"
import { SignInLinks } from "@frontdesk/core/people/SignInLinks"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type Browser, makeBrowser } from "../dashboard/browser.ts"
import { type Dashboard, signIn } from "../dashboard/dashboard.ts"

/** Signs a browser in as the operator. */
export const operatorOf = async ({ api, caller, path }: Dashboard): Promise<Browser> => {
  const { token } = await api.run(
    Effect.flatMap(SignInLinks, (links) => links.createForOperator({ name: "Olga" })).pipe(
      Effect.provideService(Principal, ofAccount(caller.account))
    )
  )
  const browser = makeBrowser(api)
  await signIn(browser, `${path}${signInPath(Redacted.value(token))}`)
  return browser
}
