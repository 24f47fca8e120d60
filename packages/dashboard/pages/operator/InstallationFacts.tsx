import type { Worker } from "@frontdesk/client"
import { useQuery } from "@tanstack/react-query"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { Badge, type Tone } from "../ui/Badge.tsx"
import { words } from "../ui/formats.ts"
import { Card, Facts } from "../ui/Page.tsx"
import { Empty, Remote } from "../ui/Remote.tsx"
import { type Column, Table } from "../ui/Table.tsx"

const tones: { readonly [S in Worker["status"]]: Tone } = { running: "good", restarting: "warn", stopped: "plain" }

/** The versions of the server that answers, and the workers of its process. */
export const InstallationFacts = () => {
  const { formats } = useSession()
  const installation = useQuery({
    queryKey: ["operator", "installation"],
    queryFn: ({ signal }) => api.operator.installation({ signal }),
    refetchInterval: 15_000
  })
  const columns: ReadonlyArray<Column<Worker>> = [
    { name: "Worker", cell: ({ name }) => words(name.replaceAll("-", " ")) },
    { name: "State", cell: ({ status }) => <Badge tone={tones[status]}>{status}</Badge> },
    { name: "Restarts", cell: ({ restarts }) => formats.number(restarts), isNumber: true },
    {
      name: "Last ended",
      cell: ({ last_ended_at: at }) => (at === null ? "Never" : <time dateTime={at}>{formats.time(at)}</time>),
      isExtra: true
    }
  ]
  return (
    <>
      <Card title="This server">
        <Remote query={installation}>
          {({ database, node, runtime, schema, version }) => (
            <Facts
              facts={[
                ["Frontdesk", version ?? "not stated"],
                ["Runs on", runtime ?? "not stated"],
                ["Database", database ?? "not stated"],
                ["Schema", schema ?? "not stated"],
                ["Name of the process", node ?? "none that stays after a restart"]
              ]}
            />
          )}
        </Remote>
      </Card>
      <Card title="Workers of this server">
        <p className="text-muted px-4 pt-3 text-sm">
          Other servers on the same database have workers of their own, which only they show.
        </p>
        <Remote query={installation}>
          {({ workers }) =>
            workers.length === 0 ? (
              <Empty title="This server states no workers" />
            ) : (
              <Table label="Workers" columns={columns} rows={workers} keyOf={({ name }) => name} />
            )
          }
        </Remote>
      </Card>
    </>
  )
}
