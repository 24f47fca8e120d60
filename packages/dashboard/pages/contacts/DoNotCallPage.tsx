import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { useState } from "react"
import { api } from "../app/api.ts"
import { filterIn } from "../app/filters.ts"
import { useSession } from "../app/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { Field } from "../ui/Field.tsx"
import { rawTextIn } from "../ui/forms.ts"
import { Notice } from "../ui/Notice.tsx"
import { Card, Page } from "../ui/Page.tsx"
import { problemOf } from "../ui/Problem.tsx"
import { Empty, Remote } from "../ui/Remote.tsx"
import { type Column, PagedTable } from "../ui/Table.tsx"
import { AddDoNotCall } from "./AddDoNotCall.tsx"
import { numberOf } from "./phoneNumbers.ts"
import { useDoNotCallChanged } from "./useDoNotCallChanged.ts"

const route = getRouteApi("/contacts/do-not-call")

/** A field that looks up whether a number is on the list, and the way back to the whole list. */
const LookUp = ({ isWrong, onLookUp }: { readonly isWrong: boolean; readonly onLookUp: () => void }) => {
  const navigate = route.useNavigate()
  const { phone_number: value } = route.useSearch()
  return (
    <div className="grid justify-items-start gap-3 p-4">
      <form
        role="search"
        className="flex w-full max-w-96 items-start gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          onLookUp()
          const number = numberOf(rawTextIn(new FormData(event.currentTarget), "phone_number"))
          void navigate({ search: { phone_number: filterIn(number) }, replace: true })
        }}
      >
        <div className="min-w-0 flex-1">
          <Field
            name="phone_number"
            type="tel"
            label="Look up a number"
            maxLength={50}
            autoComplete="off"
            placeholder="+12025550123"
            key={value}
            defaultValue={value}
            problem={isWrong ? "Write it with its country code, as in +12025550123." : undefined}
          />
        </div>
        {/* Beside the field, which is below a label of one line. */}
        <Button type="submit" className="mt-6">
          Look up
        </Button>
      </form>
      {value !== undefined && (
        <Link to="/contacts/do-not-call" onClick={onLookUp} className="text-accent text-sm underline">
          Show all numbers
        </Link>
      )}
    </div>
  )
}

const Remove = ({
  number,
  onClose,
  onDone
}: {
  readonly number: string
  readonly onClose: () => void
  readonly onDone: (message: string) => void
}) => {
  const changed = useDoNotCallChanged()
  return (
    <ConfirmDialog
      title="Remove this number?"
      label="Remove"
      doing="Removing…"
      onClose={onClose}
      onConfirm={async () => {
        const { removed } = await api.doNotCall.remove({ phone_numbers: [number] })
        await changed()
        onDone(removed.length === 0 ? `${number} was not on the list any more.` : `${number} was removed.`)
      }}
    >
      <p>
        People, programs and agents of the account can call <span className="font-medium">{number}</span> again.
      </p>
      <p>Contacts of the account that have the number are no longer marked “Do not call” either.</p>
    </ConfirmDialog>
  )
}

/** The do-not-call list of the account. The looked up number is a part of the address. */
export const DoNotCallPage = () => {
  const { can, formats } = useSession()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [opened, setOpened] = useState<{ readonly add: string } | { readonly remove: string } | null>(null)
  const [done, setDone] = useState<string | null>(null)
  const close = () => setOpened(null)
  const open = (next: typeof opened) => {
    setDone(null)
    setOpened(next)
  }
  const { phone_number: looked } = search
  const list = useQuery({
    queryKey: ["doNotCall", looked ?? null, search.page ?? 1],
    queryFn: ({ signal }) => api.doNotCall.list({ ...search, limit: 25 }, { signal }),
    // Only from page to page: what was shown before a look-up would say that this number is on the list.
    placeholderData: (before, query) => (looked === undefined && query?.queryKey[1] === null ? before : undefined)
  })
  const isWrong = problemOf(list.error, "phone_number") !== undefined
  const mayChange = can("can_write_contacts")
  const columns: ReadonlyArray<Column<string>> = [
    { name: "Number", cell: (number) => <span className="whitespace-nowrap tabular-nums">{number}</span> },
    ...(mayChange
      ? [
          {
            name: "Actions",
            isNumber: true,
            cell: (number: string) => (
              <Button kind="danger" aria-label={`Remove ${number}`} onClick={() => open({ remove: number })}>
                Remove
              </Button>
            )
          }
        ]
      : [])
  ]

  return (
    <Page
      title="Do not call"
      hint="Calls to these numbers are refused, whether or not a contact has them."
      actions={
        mayChange && (
          <Button kind="primary" onClick={() => open({ add: "" })}>
            Add numbers
          </Button>
        )
      }
    >
      <Notice>{done}</Notice>
      <Card>
        <LookUp isWrong={isWrong} onLookUp={() => setDone(null)} />
        <div className="border-line border-t">
          {isWrong ? (
            <Empty title="This is not a phone number" />
          ) : (
            <Remote query={list}>
              {({ count, page, pages, phone_numbers: rows }) => (
                <PagedTable
                  label="Do-not-call list"
                  columns={columns}
                  rows={rows}
                  keyOf={(number) => number}
                  count={
                    looked === undefined ? formats.counted(count, "number", "numbers") : "This number is on the list."
                  }
                  page={page}
                  pages={pages}
                  onPage={(next) => void navigate({ search: (current) => ({ ...current, page: next }) })}
                  empty={
                    looked === undefined ? (
                      <Empty title="No numbers yet">
                        {mayChange && "Add numbers of people who do not want to be called. "}A number of a contact that
                        is marked “Do not call” is on the list too.
                      </Empty>
                    ) : (
                      <Empty title={`${looked} is not on the list`}>
                        {mayChange && <Button onClick={() => open({ add: looked })}>Add this number</Button>}
                      </Empty>
                    )
                  }
                />
              )}
            </Remote>
          )}
        </div>
      </Card>
      {opened !== null && "add" in opened && <AddDoNotCall number={opened.add} onClose={close} onDone={setDone} />}
      {opened !== null && "remove" in opened && <Remove number={opened.remove} onClose={close} onDone={setDone} />}
    </Page>
  )
}
