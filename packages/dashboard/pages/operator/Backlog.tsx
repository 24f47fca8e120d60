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

/** The work of all accounts that is still to be done, or that was given up. */
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
              ["Webhook deliveries to be sent", counted(formats, found.waiting_deliveries)],
              ["Mails and calendar changes to be made", counted(formats, found.waiting_tasks)],
              ["Given up after all attempts", counted(formats, found.dead_lettered_tasks)],
              ...(["mail", "calendar", "sign_in"] as const).map(
                (kind) =>
                  [`Given up: ${kinds[kind].toLowerCase()}`, formats.number(found.dead_lettered_by_kind[kind])] as const
              )
            ]}
          />
        )}
      </Remote>
    </Card>
  )
}
