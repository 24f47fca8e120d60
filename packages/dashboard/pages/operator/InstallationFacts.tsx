import type { ServerNode, Worker } from "@frontdesk/client"
import { useQuery } from "@tanstack/react-query"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { Badge, type Tone } from "../ui/Badge.tsx"
import { words } from "../ui/formats.ts"
import { Card, Facts } from "../ui/Page.tsx"
import { Empty, Remote } from "../ui/Remote.tsx"
import { type Column, Table } from "../ui/Table.tsx"
import { Time } from "../ui/Time.tsx"

const tones: { readonly [S in Worker["status"]]: Tone } = { running: "good", restarting: "warn", stopped: "plain" }

/** The servers of the installation, and of the one that answers its versions and its workers. */
export const InstallationFacts = () => {
  const { formats } = useSession()
  const installation = useQuery({
    queryKey: ["operator", "installation"],
    queryFn: ({ signal }) => api.operator.installation({ signal }),
    refetchInterval: 15_000
  })
  const nodeColumns: ReadonlyArray<Column<ServerNode>> = [
    {
      name: "Server",
      cell: ({ is_this: isThis, name }) => (
        <div className="min-w-36">
          <span className="wrap-anywhere">{name}</span> {isThis && <Badge tone="info">answers you</Badge>}
        </div>
      )
    },
    {
      name: "State",
      cell: ({ is_silent: isSilent }) =>
        isSilent ? <Badge tone="bad">silent</Badge> : <Badge tone="good">running</Badge>
    },
    { name: "Version", cell: ({ version }) => version },
    { name: "Runs on", cell: ({ runtime }) => runtime },
    {
      name: "Workers",
      cell: ({ restarting, workers }) => (
        <>
          {formats.number(workers)}
          {restarting > 0 && <Badge tone="warn">{`${formats.number(restarting)} restarting`}</Badge>}
        </>
      ),
      isNumber: true
    },
    {
      name: "Started",
      cell: ({ started_at: at }) => <Time at={at} />
    },
    {
      name: "Last report",
      cell: ({ reported_at: at }) => <Time at={at} />
    }
  ]
  const columns: ReadonlyArray<Column<Worker>> = [
    { name: "Worker", cell: ({ name }) => words(name.replaceAll("-", " ")) },
    { name: "State", cell: ({ status }) => <Badge tone={tones[status]}>{status}</Badge> },
    { name: "Restarts", cell: ({ restarts }) => formats.number(restarts), isNumber: true },
    {
      name: "Last ended",
      cell: ({ last_ended_at: at }) => (at === null ? "Never" : <Time at={at} />)
    }
  ]
  return (
    <>
      <Card title="Servers">
        <p className="text-muted px-4 pt-3 text-sm">
          Each server on the database reports itself every 30 seconds. One that was killed, or that does not reach the
          database, is silent after two minutes.
        </p>
        <Remote query={installation}>
          {({ nodes }) =>
            nodes.length === 0 ? (
              <Empty title="No server has reported itself" />
            ) : (
              <Table label="Servers" columns={nodeColumns} rows={nodes} keyOf={({ name }) => name} />
            )
          }
        </Remote>
      </Card>
      <Card title="This server">
        <Remote query={installation}>
          {({ database, node, runtime, schema, version }) => (
            <Facts
              facts={[
                ["Frontdesk", version ?? "not stated"],
                ["Runs on", runtime ?? "not stated"],
                ["Database", database ?? "not stated"],
                ["Schema", schema ?? "not stated"],
                ["Name", node ?? "not stated"]
              ]}
            />
          )}
        </Remote>
      </Card>
      <Card title="Workers of this server">
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
