import type { AccountOverview } from "@frontdesk/client"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { useState } from "react"
import { api } from "../app/api.ts"
import { filterIn } from "../app/filters.ts"
import { useSession } from "../app/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { Field } from "../ui/Field.tsx"
import { Notice } from "../ui/Notice.tsx"
import { Card } from "../ui/Page.tsx"
import { Empty, Remote } from "../ui/Remote.tsx"
import { type Column, PagedTable } from "../ui/Table.tsx"
import { DepositDialog } from "./DepositDialog.tsx"

const route = getRouteApi("/operator")

/** All accounts of the installation, with a search that is a part of the address. */
export const Accounts = () => {
  const { caller, formats } = useSession()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [target, setTarget] = useState<AccountOverview | null>(null)
  const [done, setDone] = useState<string | null>(null)
  const query = { ...search, limit: 25 }
  const accounts = useQuery({
    queryKey: ["operator", "accounts", query],
    queryFn: ({ signal }) => api.operator.accounts(query, { signal }),
    placeholderData: keepPreviousData
  })
  const columns: ReadonlyArray<Column<AccountOverview>> = [
    {
      name: "Account",
      cell: ({ id, name }) => (
        <div className="grid min-w-24">
          <bdi className="line-clamp-2 font-medium break-words">{name}</bdi>
          <span className="text-muted text-xs">{id}</span>
        </div>
      )
    },
    { name: "Time zone", cell: ({ time_zone: zone }) => zone.replaceAll("_", " ") },
    {
      name: "Created",
      cell: ({ created_at: at }) => (
        <time dateTime={at} className="whitespace-nowrap">
          {formats.date(at)}
        </time>
      )
    },
    { name: "Reserved", cell: ({ reservations }) => formats.money(reservations), isNumber: true },
    { name: "Balance", cell: ({ balance }) => formats.money(balance), isNumber: true },
    ...(caller.is_read_only
      ? []
      : [
          {
            name: "Action",
            cell: (account: AccountOverview) => (
              <Button
                aria-label={`Deposit to ${account.name}`}
                onClick={() => {
                  setDone(null)
                  setTarget(account)
                }}
              >
                Deposit
              </Button>
            )
          }
        ])
  ]
  return (
    <>
      <Notice>{done}</Notice>
      <Card title="Accounts">
        <div role="search" className="border-line border-b p-4">
          <div className="max-w-96">
            <Field
              type="search"
              label="Name or id"
              maxLength={200}
              defaultValue={search.search}
              onChange={({ target: { value } }) => {
                const text = filterIn(value.trim())
                void navigate({ search: () => (text === undefined ? {} : { search: text }), replace: true })
              }}
            />
          </div>
        </div>
        <Remote query={accounts}>
          {({ accounts: rows, count, count_is_capped: isCapped, page, pages }) => (
            <PagedTable
              label="Accounts"
              columns={columns}
              rows={rows}
              keyOf={({ id }) => id}
              pagesLabel="Pages of accounts"
              count={formats.counted(count, "account", "accounts", isCapped)}
              page={page}
              pages={pages}
              onPage={(next) => void navigate({ search: (current) => ({ ...current, page: next }) })}
              empty={<Empty title="No account has this name or id" />}
            />
          )}
        </Remote>
      </Card>
      {target !== null && <DepositDialog account={target} onClose={() => setTarget(null)} onDone={setDone} />}
    </>
  )
}
