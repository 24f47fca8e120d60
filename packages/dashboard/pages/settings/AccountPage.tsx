import { signInWay } from "../app/base.ts"
import { useSession } from "../app/Session.tsx"
import { Page } from "../ui/Page.tsx"
import { CallRules, SettingsFacts, Terms } from "./accountFacts.tsx"
import { AccountForm } from "./accountForm.tsx"
import { Movements } from "./accountMovements.tsx"
import { OwnSessions } from "./peopleSessions.tsx"

/** The settings of the account, its rules for calls, its balance, and the movements of the balance. */
export const AccountPage = () => {
  const { account, can } = useSession()
  return (
    <Page title="Account">
      {can("can_manage_account") ? <AccountForm account={account} /> : <SettingsFacts account={account} />}
      <CallRules account={account} />
      <Terms account={account} />
      <Movements />
      {/* The page of people has them too, but only an owner sees it. */}
      {!can("can_manage_people") && signInWay !== "program" && <OwnSessions />}
    </Page>
  )
}
