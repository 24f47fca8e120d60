import { signInWay } from "../app/base.ts"
import { Card, Page } from "../ui/Page.tsx"
import { Empty } from "../ui/Remote.tsx"
import { Links } from "./peopleLinks.tsx"
import { Members } from "./peopleMembers.tsx"
import { Roles } from "./peopleRoles.tsx"
import { OwnSessions, Sessions } from "./peopleSessions.tsx"

/** Who may use the dashboard of the account, and who is signed in. */
export const PeoplePage = () => {
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
  return (
    <Page title="People" hint="The people who use this dashboard. Programs use API keys instead.">
      <Members />
      <Links />
      <Sessions />
      <OwnSessions />
      <Roles />
    </Page>
  )
}
