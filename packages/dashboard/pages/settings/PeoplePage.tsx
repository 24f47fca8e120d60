import { signInWay } from "../app/base.ts"
import { useSession } from "../app/Session.tsx"
import { Card, Page } from "../ui/Page.tsx"
import { Empty } from "../ui/Remote.tsx"
import { Links } from "./peopleLinks.tsx"
import { Members } from "./peopleMembers.tsx"
import { Roles } from "./peopleRoles.tsx"
import { OwnSessions, Sessions } from "./peopleSessions.tsx"

/** Who may use the dashboard of the account, and who is signed in. */
export const PeoplePage = () => {
  const { caller } = useSession()
  if (signInWay === "program")
    return (
      <Page title="People">
        <Card>
          <Empty title="People are managed elsewhere">
            The program that this dashboard is a part of decides who may use it.
          </Empty>
        </Card>
      </Page>
    )
  // A read-only dashboard shows the people too, without the actions.
  const maySee = caller.permissions.includes("can_manage_people")
  return (
    <Page title="People" hint="The people who use this dashboard. Programs use API keys instead.">
      {maySee ? (
        <>
          <Members />
          <Links />
          <Sessions />
        </>
      ) : (
        <p>Only an owner sees the people of the account.</p>
      )}
      <OwnSessions />
      <Roles />
    </Page>
  )
}
