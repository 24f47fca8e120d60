import type { Backlog as BacklogCounts } from "@frontdesk/client"
import { useQuery } from "@tanstack/react-query"
import { api } from "../app/api.ts"
import { type Formats } from "../ui/formats.ts"
import { useSession } from "../app/Session.tsx"
import { kinds } from "../tasks/taskWords.ts"
import { Card, Facts } from "../ui/Page.tsx"
import { Remote } from "../ui/Remote.tsx"

const counted = ({ number }: Formats, { count, is_capped: isCapped }: BacklogCounts["waiting_tasks"]): string =>
  `${isCapped ? "more than " : ""}${number(count)}`

/** The work of all accounts that waits or was given up. */
export const Backlog = () => {
  const { formats } = useSession()
  const backlog = useQuery({
    queryKey: ["operator", "backlog"],
    queryFn: ({ signal }) => api.operator.backlog({ signal }),
    refetchInterval: 15_000
  })
  return (
    <Card title="Waiting work">
      <Remote query={backlog}>
        {(found) => (
          <Facts
            facts={[
              ["Deliveries of webhooks that wait", counted(formats, found.waiting_deliveries)],
              ["Mails and calendar writes that wait", counted(formats, found.waiting_tasks)],
              ["Given up", counted(formats, found.dead_lettered_tasks)],
              ...(["mail", "calendar", "sign_in"] as const).map(
                (kind) => [`Given up: ${kinds[kind]}`, formats.number(found.dead_lettered_by_kind[kind])] as const
              )
            ]}
          />
        )}
      </Remote>
    </Card>
  )
}
