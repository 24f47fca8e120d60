import type { FundMovement } from "@frontdesk/client"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { api } from "../app/api.ts"
import { useSession } from "../app/Session.tsx"
import { Select } from "../ui/Field.tsx"
import { Card } from "../ui/Page.tsx"
import { Empty, Remote } from "../ui/Remote.tsx"
import { type Column, PagedTable } from "../ui/Table.tsx"
import { Time } from "../ui/Time.tsx"

type Kind = FundMovement["kind"]

const kinds: { readonly [K in Kind]: string } = {
  deposit: "Paid in",
  reservation: "Reserved for a call",
  settlement: "Charged for a call",
  release: "Reservation given back",
  opening: "Balance at the beginning"
}

const kindNames = ["deposit", "reservation", "settlement", "release", "opening"] as const satisfies ReadonlyArray<Kind>

/** The movements of the balance, newest first. */
export const Movements = () => {
  const { can, formats } = useSession()
  const [page, setPage] = useState(1)
  const [kind, setKind] = useState<Kind | null>(null)
  const query = { page, limit: 20, ...(kind !== null && { kind }) }
  const movements = useQuery({
    queryKey: ["account", "movements", query],
    queryFn: ({ signal }) => api.funds.movements(query, { signal }),
    placeholderData: keepPreviousData
  })
  const columns: ReadonlyArray<Column<FundMovement>> = [
    {
      name: "When",
      cell: ({ at }) => <Time at={at} />
    },
    {
      name: "What",
      cell: ({ at, call_id: call, kind: what }) => (
        <div className="grid">
          {kinds[what]}
          {call !== null && can("can_read_calls") && (
            <Link
              to="/calls/$id"
              params={{ id: call }}
              aria-label={`Show the call, ${kinds[what]}, ${formats.time(at)}`}
              className="text-accent text-xs underline"
            >
              Show the call
            </Link>
          )}
        </div>
      )
    },
    {
      name: "Amount",
      cell: ({ amount }) => `${amount > 0 ? "+" : ""}${formats.money(amount)}`,
      isNumber: true
    },
    { name: "Balance after", cell: ({ balance_after: balance }) => formats.money(balance), isNumber: true }
  ]
  return (
    <Card
      title="Movements of the balance"
      actions={
        <div className="w-56">
          <Select
            label="Kind"
            value={kind ?? ""}
            onChange={({ target }) => {
              setKind(kindNames.find((name) => name === target.value) ?? null)
              setPage(1)
            }}
          >
            <option value="">Any</option>
            {kindNames.map((name) => (
              <option key={name} value={name}>
                {kinds[name]}
              </option>
            ))}
          </Select>
        </div>
      }
    >
      <Remote query={movements}>
        {({ count, count_is_capped: isCapped, movements: rows, page: shown, pages }) => (
          <PagedTable
            label="Movements of the balance"
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
            count={formats.counted(count, "movement", "movements", isCapped)}
            page={shown}
            pages={pages}
            onPage={setPage}
            empty={<Empty title={kind === null ? "No movements yet" : "No movement is of this kind"} />}
          />
        )}
      </Remote>
    </Card>
  )
}
