import type { Figures } from "@frontdesk/client"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { BarChart } from "../ui/BarChart.tsx"
import { daysAfter } from "../ui/formats.ts"
import { Card, Page } from "../ui/Page.tsx"
import { Remote } from "../ui/Remote.tsx"
import { FirstSteps } from "./FirstSteps.tsx"

/** How many days the charts show, today included. */
const shownDays = 30

const charts: ReadonlyArray<{
  readonly field: keyof Figures
  readonly title: string
  readonly units: readonly [one: string, many: string]
}> = [
  { field: "calls", title: "Calls", units: ["call", "calls"] },
  { field: "minutes", title: "Billed minutes", units: ["minute", "minutes"] },
  { field: "bookings", title: "Bookings", units: ["booking", "bookings"] },
  { field: "deliveries", title: "Webhook deliveries", units: ["delivery", "deliveries"] }
]

const Stat = ({
  children,
  isWide = false,
  name,
  note
}: {
  readonly name: string
  /** Whether it takes the rest of its row. */
  readonly isWide?: boolean
  readonly note?: ReactNode
  readonly children: ReactNode
}) => (
  <div
    className={`border-line bg-card grid min-w-0 content-start gap-1 rounded-xl border p-4 ${
      isWide ? "col-span-2 sm:col-span-3 xl:col-span-2" : ""
    }`}
  >
    <dt className="text-muted text-sm">{name}</dt>
    <dd className="text-2xl font-semibold tracking-tight tabular-nums">{children}</dd>
    {note !== undefined && <dd className="text-muted text-xs">{note}</dd>}
  </div>
)

/** What needs a person: tasks that were given up. */
const DeadLettered = () => {
  const { formats } = useSession()
  const tasks = useQuery({
    queryKey: ["tasks", "count"],
    queryFn: ({ signal }) => api.tasks.list({ limit: 1 }, { signal })
  })
  return (
    <Stat name="Tasks given up" note="Mails and calendar writes that failed too often">
      {tasks.data === undefined ? "–" : formats.number(tasks.data.count)}
    </Stat>
  )
}

/** Today at a glance, and the last thirty days. */
export const OverviewPage = () => {
  const { account, can, formats } = useSession()
  const today = formats.today()
  const statistics = useQuery({
    queryKey: ["statistics", today],
    queryFn: ({ signal }) =>
      api.statistics.get({ start_date: daysAfter(today, 1 - shownDays), end_date: today }, { signal }),
    refetchInterval: 60_000
  })
  return (
    <Page title="Overview" hint={`Today, ${formats.date(new Date().toISOString())}, and the last ${shownDays} days.`}>
      <Remote query={statistics}>
        {({ days, is_complete: isComplete }) => {
          const now = days.at(-1)
          const rate = now === undefined || now.calls === 0 ? "–" : `${Math.round((100 * now.answered) / now.calls)} %`
          const isUnused = days.every(({ bookings, calls, deliveries }) => calls + bookings + deliveries === 0)
          return (
            <>
              {isUnused && <FirstSteps />}
              <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-4">
                <Stat name="Calls today">{formats.number(now?.calls ?? 0)}</Stat>
                <Stat name="Answered today" note={formats.counted(now?.answered ?? 0, "call", "calls")}>
                  {rate}
                </Stat>
                <Stat name="Billed minutes today" note="A call that has begun a minute is billed for it">
                  {formats.number(now?.minutes ?? 0)}
                </Stat>
                <Stat name="Bookings today">{formats.number(now?.bookings ?? 0)}</Stat>
                <Stat
                  name="Failed deliveries today"
                  note={`of ${formats.number((now?.deliveries ?? 0) + (now?.failures ?? 0))}`}
                >
                  {can("can_read_webhooks") && now !== undefined && now.failures > 0 ? (
                    <Link to="/webhooks" className="text-bad underline">
                      {formats.number(now.failures)}
                    </Link>
                  ) : (
                    formats.number(now?.failures ?? 0)
                  )}
                </Stat>
                {can("can_read_calendar") && <DeadLettered />}
                <Stat
                  isWide={can("can_read_calendar")}
                  name="Balance"
                  note={`${formats.money(account.reservations)} is reserved for running calls. Amounts are in the currency of the account.`}
                >
                  {formats.money(account.balance)}
                </Stat>
              </dl>
              {!isComplete && (
                <p className="text-muted text-sm">
                  The last minutes are not counted yet. The figures follow by themselves.
                </p>
              )}
              <div className="grid items-start gap-4 lg:grid-cols-2">
                {charts.map(({ field, title, units }) => (
                  <Card key={field}>
                    <BarChart
                      title={title}
                      units={units}
                      formats={formats}
                      days={days.map((day) => ({ date: day.date, value: day[field] }))}
                    />
                  </Card>
                ))}
              </div>
            </>
          )
        }}
      </Remote>
    </Page>
  )
}
