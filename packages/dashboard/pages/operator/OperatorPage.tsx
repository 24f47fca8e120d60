import { useSession } from "../app/Session.tsx"
import { Page } from "../ui/Page.tsx"
import { Empty } from "../ui/Remote.tsx"
import { Accounts } from "./Accounts.tsx"
import { Backlog } from "./Backlog.tsx"
import { InstallationFacts } from "./InstallationFacts.tsx"
import { TasksOfAccounts } from "./TasksOfAccounts.tsx"

/** What the operator of the installation sees and does for all accounts. */
export const OperatorPage = () => {
  const { can, formats } = useSession()
  return (
    <Page
      title="Operator"
      hint={`All accounts of this installation, and how it runs. Times are in ${formats.zoneName}.`}
    >
      {can("can_operate") ? (
        <>
          <Accounts />
          <Backlog />
          <TasksOfAccounts />
          <InstallationFacts />
        </>
      ) : (
        <Empty title="Only the operator sees this page">
          The command frontdesk dashboard link --operator prints a link that signs in as operator.
        </Empty>
      )}
    </Page>
  )
}
