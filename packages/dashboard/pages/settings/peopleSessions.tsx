import type { Session } from "@frontdesk/client"
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../app/api.ts"
import { base } from "../app/base.ts"
import { useSession } from "../app/Session.tsx"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Dialog, DialogActions } from "../ui/Dialog.tsx"
import { Card } from "../ui/Page.tsx"
import { Empty, Remote } from "../ui/Remote.tsx"
import { type Column, PagedTable, Table } from "../ui/Table.tsx"
import { Time } from "../ui/Time.tsx"
import { RoleBadge } from "./peopleRoles.tsx"

const nameOf = ({ name, user_id: user }: Session): string => (name === "" ? (user ?? "Without a name") : name)

/** The columns that tell when a session began and when it ends. */
const times: ReadonlyArray<Column<Session>> = [
  { name: "Last seen", cell: ({ last_used_at: at }) => <Time at={at} /> },
  {
    name: "Ends",
    cell: ({ ends_at: end, expires_at: idleEnd }) => (
      <div className="grid">
        <Time at={end} />
        {idleEnd !== end && (
          <span className="text-muted text-xs">
            if unused: <Time at={idleEnd} />
          </span>
        )}
      </div>
    )
  }
]

/** The sessions of the person who looks at the page, with the way out of all of them. */
export const OwnSessions = () => {
  const [isAsked, setAsked] = useState(false)
  const sessions = useQuery({
    queryKey: ["caller", "sessions"],
    queryFn: ({ signal }) => api.caller.sessions({ signal })
  })
  const columns: ReadonlyArray<Column<Session>> = [
    {
      name: "Signed in",
      cell: ({ created_at: at, is_current: isCurrent }) => (
        <>
          <Time at={at} /> {isCurrent && <Badge tone="info">This browser</Badge>}
        </>
      )
    },
    ...times
  ]
  return (
    <Card title="Where you are signed in" actions={<Button onClick={() => setAsked(true)}>Sign out everywhere</Button>}>
      {isAsked && (
        <Dialog title="Sign out everywhere?" onClose={() => setAsked(false)}>
          <p>You are signed out on every device, and sign-in links that you have not used stop working.</p>
          <form method="post" action={`${base}/sign-out/everywhere`}>
            <DialogActions>
              <Button onClick={() => setAsked(false)}>Cancel</Button>
              <Button kind="danger" type="submit">
                Sign out
              </Button>
            </DialogActions>
          </form>
        </Dialog>
      )}
      <Remote query={sessions}>
        {({ sessions: rows }) =>
          rows.length === 0 ? (
            <Empty title="Only in this browser">You signed in with a link, without being a member.</Empty>
          ) : (
            <Table label="Where you are signed in" columns={columns} rows={rows} keyOf={({ id }) => id} />
          )
        }
      </Remote>
    </Card>
  )
}

/** The sessions of everybody in the account, newest first. */
export const Sessions = () => {
  const { can, formats } = useSession()
  const client = useQueryClient()
  const [page, setPage] = useState(1)
  const [asked, setAsked] = useState<Session | "all" | null>(null)
  const mayChange = can("can_manage_people")
  const query = { page, limit: 25 }
  const sessions = useQuery({
    queryKey: ["sessions", query],
    queryFn: ({ signal }) => api.sessions.list(query, { signal }),
    placeholderData: keepPreviousData
  })
  const columns: ReadonlyArray<Column<Session>> = [
    {
      name: "Who",
      cell: (session) => (
        <div className="grid">
          <span className="font-medium">
            <bdi>{nameOf(session)}</bdi> {session.is_current && <Badge tone="info">This browser</Badge>}
          </span>
          <span className="text-muted text-xs">{session.member_id === null ? "Not a member" : "Member"}</span>
        </div>
      )
    },
    { name: "Role", cell: ({ role }) => <RoleBadge role={role} /> },
    { name: "Signed in", cell: ({ created_at: at }) => <Time at={at} /> },
    ...times,
    ...(mayChange
      ? [
          {
            name: "Action",
            cell: (session: Session) => (
              <Button
                kind="danger"
                aria-label={`End the session of ${nameOf(session)} since ${formats.time(session.created_at)}`}
                onClick={() => setAsked(session)}
              >
                End
              </Button>
            )
          }
        ]
      : [])
  ]
  return (
    <Card
      title="Sessions"
      actions={
        mayChange && (
          <Button kind="danger" onClick={() => setAsked("all")}>
            Sign everybody out
          </Button>
        )
      }
    >
      <Remote query={sessions}>
        {({ count, page: shown, pages, sessions: rows }) => (
          <PagedTable
            label="Sessions"
            pagesLabel="Pages of sessions"
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
            count={formats.counted(count, "session", "sessions")}
            page={shown}
            pages={pages}
            onPage={setPage}
            empty={<Empty title="Nobody is signed in" />}
          />
        )}
      </Remote>
      {asked !== null && (
        <ConfirmDialog
          title={asked === "all" ? "Sign everybody out?" : `End the session of ${nameOf(asked)}?`}
          label={asked === "all" ? "Sign everybody out" : "End"}
          doing="Ending…"
          onClose={() => setAsked(null)}
          onConfirm={async () => {
            await (asked === "all" ? api.sessions.deleteAll({}) : api.sessions.delete(asked.id))
            // The session of this browser may be among those that have ended.
            void client.invalidateQueries()
          }}
        >
          <p>
            {asked === "all"
              ? "All sessions of the account end at once, also yours. Everybody signs in again."
              : asked.is_current
                ? "It is your session in this browser. You are signed out."
                : "The person is signed out of that browser at once."}
          </p>
        </ConfirmDialog>
      )}
    </Card>
  )
}
