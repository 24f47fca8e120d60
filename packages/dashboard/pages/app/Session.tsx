import type { Account, Caller } from "@frontdesk/client"
import { useQuery } from "@tanstack/react-query"
import { Activity, createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from "react"
import { Button } from "../ui/Button.tsx"
import { Field } from "../ui/Field.tsx"
import { makeFormats, type Formats } from "../ui/formats.ts"
import { api, callerKey, isSignedOut, textOf } from "./api.ts"
import { base, signInUrl, signInWay } from "./base.ts"

/** A permission of the API. */
export type Permission = Caller["permissions"][number]

/** The person who is signed in, and the account. */
export interface Session {
  readonly caller: Caller
  readonly account: Account
  /** Whether the person may do what needs a permission, and the dashboard is not read-only for what changes something. */
  readonly can: (permission: Permission) => boolean
  readonly formats: Formats
}

const SessionContext = createContext<Session | null>(null)

/** Returns the session. Only for what is inside of {@link SessionGate}. */
export const useSession = (): Session => {
  const session = useContext(SessionContext)
  if (session === null) throw new Error("There is no session outside of SessionGate")
  return session
}

/** The permissions to read, which a read-only dashboard leaves. */
const reads: ReadonlySet<Permission> = new Set<Permission>([
  "can_operate",
  "can_read_account",
  "can_read_agents",
  "can_read_audit",
  "can_read_calendar",
  "can_read_calls",
  "can_read_contacts",
  "can_read_webhooks"
])

/** Returns what differs between two people who sign in. */
const identityOf = ({ account_id: account, person }: Caller): string =>
  JSON.stringify([account, person?.member_id ?? person?.user_id ?? person?.name])

/** Loads the page again when another person has signed in, so that nothing of the previous one stays in it. */
const useOnePerson = (caller: Caller | undefined): void => {
  const first = useRef<string>(null)
  useEffect(() => {
    if (caller === undefined) return
    first.current ??= identityOf(caller)
    if (first.current !== identityOf(caller)) location.reload()
  }, [caller])
}

/**
 * Shows its children to a person who is signed in, and how to sign in to anybody else. When a session ends, its children are
 * hidden until the person has signed in again, because a form may have what the person has typed.
 */
export const SessionGate = ({ children }: { readonly children: ReactNode }) => {
  const caller = useQuery({ queryKey: callerKey, queryFn: ({ signal }) => api.caller.get({ signal }) })
  const account = useQuery({
    queryKey: ["account"],
    queryFn: ({ signal }) => api.account.get({ signal }),
    enabled: caller.isSuccess
  })
  const session = useMemo((): Session | null => {
    if (caller.data === undefined || account.data === undefined) return null
    const granted = new Set<Permission>(caller.data.permissions)
    const isReadOnly = caller.data.is_read_only
    return {
      caller: caller.data,
      account: account.data,
      can: (permission) => granted.has(permission) && (!isReadOnly || reads.has(permission)),
      formats: makeFormats(account.data.time_zone)
    }
  }, [caller.data, account.data])

  useOnePerson(caller.data)

  const error = caller.error ?? account.error
  const isOut = isSignedOut(error)
  if (session !== null)
    return (
      <>
        {isOut && <SignedOut onReturn={() => void caller.refetch()} />}
        <Activity mode={isOut ? "hidden" : "visible"}>
          <SessionContext value={session}>{children}</SessionContext>
        </Activity>
      </>
    )
  if (isOut) return <SignedOut />
  if (error !== null)
    return (
      <Notice title="Not available">
        <p>{textOf(error)}</p>
        <Button onClick={() => void (caller.error === null ? account : caller).refetch()}>Try again</Button>
      </Notice>
    )
  return <p className="text-muted p-8 text-center">Loading…</p>
}

const Notice = ({ children, title }: { readonly title: string; readonly children: ReactNode }) => (
  <main className="mx-auto mt-[15vh] max-w-sm px-4">
    <div className="border-line bg-card grid gap-4 rounded-xl border p-6">
      <h1 className="text-lg font-semibold">{title}</h1>
      {children}
    </div>
  </main>
)

const SignedOut = ({
  onReturn
}: {
  /** Looks whether the person has signed in again. Only for one whose session has ended. */
  readonly onReturn?: () => void
}) => {
  const goOn = onReturn !== undefined && (
    <>
      <p>Your session has ended. Sign in in another tab, and go on here. What you have typed is still there.</p>
      <Button onClick={onReturn}>Go on</Button>
    </>
  )
  if (signInWay === "program")
    return (
      <Notice title="Not signed in">
        {signInUrl === undefined ? (
          <p>Sign in to the program that this dashboard is a part of, and open the dashboard again.</p>
        ) : (
          <p>
            <a href={signInUrl} className="text-accent underline">
              Sign in
            </a>{" "}
            and open the dashboard again.
          </p>
        )}
        {goOn}
      </Notice>
    )
  if (signInWay === "mail")
    return (
      <Notice title="Sign in">
        <form method="post" action={`${base}/sign-in`} className="grid gap-4">
          <Field label="E-mail address" type="email" name="email" autoComplete="email" maxLength={254} required />
          <Button kind="primary" type="submit">
            Mail me a sign-in link
          </Button>
        </form>
        {goOn}
      </Notice>
    )
  return (
    <Notice title="Not signed in">
      <p>Open a sign-in link to use the dashboard. The command</p>
      <pre className="bg-raised rounded-md whitespace-pre-wrap p-2 font-mono text-xs">
        frontdesk dashboard link --account ACCOUNT --role owner
      </pre>
      <p>prints one, and so does the start of the demo.</p>
      {goOn}
    </Notice>
  )
}
