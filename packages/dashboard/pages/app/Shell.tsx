import { Link, type LinkProps, Outlet, useMatches } from "@tanstack/react-router"
import { useEffect, useRef } from "react"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Card, Page } from "../ui/Page.tsx"
import { Empty } from "../ui/Remote.tsx"
import { base, signInWay } from "./base.ts"
import { type Permission, useSession } from "./Session.tsx"

interface Entry {
  readonly to: NonNullable<LinkProps["to"]>
  readonly name: string
  readonly needs: Permission
}

/** The pages, in the order of the navigation. A person sees those that their permissions allow to read. */
const groups: ReadonlyArray<{ readonly name: string | null; readonly entries: ReadonlyArray<Entry> }> = [
  {
    name: null,
    entries: [
      { to: "/", name: "Overview", needs: "can_read_account" },
      { to: "/calls", name: "Calls", needs: "can_read_calls" },
      { to: "/calendar", name: "Calendar", needs: "can_read_calendar" },
      { to: "/contacts", name: "Contacts", needs: "can_read_contacts" },
      { to: "/agents", name: "Agents", needs: "can_read_agents" },
      { to: "/variables", name: "Variables", needs: "can_read_contacts" },
      { to: "/webhooks", name: "Webhooks", needs: "can_read_webhooks" }
    ]
  },
  {
    name: "Settings",
    entries: [
      { to: "/settings/account", name: "Account", needs: "can_read_account" },
      { to: "/settings/calendars", name: "Calendars", needs: "can_read_account" },
      { to: "/settings/keys", name: "API keys", needs: "can_manage_keys" },
      { to: "/settings/people", name: "People", needs: "can_manage_people" }
    ]
  },
  {
    name: "Operation",
    entries: [
      { to: "/tasks", name: "Tasks given up", needs: "can_read_calendar" },
      { to: "/audit", name: "Audit log", needs: "can_read_audit" },
      { to: "/operator", name: "Operator", needs: "can_operate" }
    ]
  }
]

const Navigation = ({ onChoose }: { readonly onChoose?: () => void }) => {
  const { can } = useSession()
  return (
    <nav aria-label="Main" className="grid gap-3 lg:gap-5">
      {groups
        .map((group) => ({ ...group, entries: group.entries.filter(({ needs }) => can(needs)) }))
        .filter((group) => group.entries.length > 0)
        .map(({ entries, name: group }) => (
          <div key={group} className="grid grid-cols-2 gap-0.5 sm:grid-cols-4 lg:grid-cols-1">
            {group !== null && <p className="text-muted col-span-full px-3 pb-1 text-xs font-medium">{group}</p>}
            {entries.map(({ name, to }) => (
              <Link
                key={to}
                to={to}
                onClick={onChoose}
                activeOptions={{ exact: to === "/", includeSearch: false }}
                className="hover:bg-raised rounded-md px-3 py-2 text-sm font-medium"
                activeProps={{ className: "bg-raised text-accent", "aria-current": "page" }}
                inactiveProps={{ className: "text-ink" }}
              >
                {name}
              </Link>
            ))}
          </div>
        ))}
    </nav>
  )
}

const Person = () => {
  const { caller, formats } = useSession()
  const role = caller.permissions.includes("can_operate") ? "operator" : caller.person?.role
  const name = caller.person?.name === undefined || caller.person.name === "" ? "You" : caller.person.name
  return (
    <div className="flex items-center justify-between gap-3 lg:grid">
      <div className="grid min-w-0 gap-1 lg:gap-3">
        <p className="text-muted text-xs">Times are in {formats.zoneName}.</p>
        <p className="text-sm wrap-anywhere">
          <bdi className="font-medium">{name}</bdi> <Badge>{caller.is_read_only ? "read only" : role}</Badge>
        </p>
      </div>
      {signInWay !== "program" && (
        <form method="post" action={`${base}/sign-out`} className="shrink-0">
          <Button type="submit" className="w-full">
            Sign out
          </Button>
        </form>
      )}
    </div>
  )
}

/** The page of the address, or that the role of the person does not have it. */
const Content = ({ path }: { readonly path: string }) => {
  const { caller } = useSession()
  const entry = groups.flatMap(({ entries }) => entries).find(({ to }) => path === to || path.startsWith(`${to}/`))
  // A read-only dashboard shows these pages too, without the actions.
  if (entry === undefined || caller.permissions.includes(entry.needs)) return <Outlet />
  return (
    <Page title={entry.name}>
      <Card>
        <Empty title="Not allowed">
          {entry.needs === "can_operate"
            ? "Only the operator of the installation has this page. The command frontdesk dashboard link --operator prints a link that signs in as operator."
            : "Your role does not have this page. An owner of the account can give you another role."}
        </Empty>
      </Card>
    </Page>
  )
}

/** The frame of every page: the navigation beside it, or above it in a menu on narrow screens. */
export const Shell = () => {
  const { account } = useSession()
  const path = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? "" })
  const menu = useRef<HTMLDetailsElement>(null)
  const content = useRef<HTMLElement>(null)
  const close = () => {
    if (menu.current === null) return
    // What is inside of a closed menu cannot have the focus.
    if (menu.current.contains(document.activeElement)) menu.current.querySelector("summary")?.focus()
    menu.current.open = false
  }
  const isFirst = useRef(true)
  // After a link the keyboard and screen readers go on in the new page, as when the browser loads it.
  useEffect(() => {
    if (!isFirst.current) content.current?.focus({ preventScroll: true })
    isFirst.current = false
  }, [path])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") close()
    }
    document.addEventListener("keydown", onKey)
    return () => document.removeEventListener("keydown", onKey)
  }, [])
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
      <a
        href="#content"
        // The base of the addresses is the overview, so the address alone would lead there.
        onClick={(event) => {
          event.preventDefault()
          content.current?.focus()
        }}
        className="bg-accent-ground sr-only z-10 rounded-md px-3 py-2 text-white focus:not-sr-only focus:absolute focus:top-2 focus:left-2"
      >
        Skip to the content
      </a>
      <aside className="border-line bg-card sticky top-0 hidden h-dvh flex-col gap-6 overflow-y-auto border-r p-4 lg:flex">
        <p className="px-3 text-base font-semibold break-words">
          <bdi>{account.name}</bdi>
        </p>
        <Navigation />
        <div className="mt-auto px-3">
          <Person />
        </div>
      </aside>
      <header className="border-line bg-card sticky top-0 z-10 border-b lg:hidden">
        <details ref={menu}>
          <summary className="-outline-offset-4 flex min-h-12 items-center justify-between gap-3 px-4 font-semibold">
            <bdi className="truncate">{account.name}</bdi>
            <span className="text-muted text-sm font-medium">Menu</span>
          </summary>
          {/* Only the pages scroll, so that the way out is always in sight. */}
          <div className="border-line flex max-h-[calc(100dvh-3rem)] flex-col border-t">
            <div className="min-h-0 overflow-y-auto px-1 py-3">
              <Navigation onChoose={close} />
            </div>
            <div className="border-line border-t px-4 py-3">
              <Person />
            </div>
          </div>
        </details>
      </header>
      <main
        ref={content}
        id="content"
        tabIndex={-1}
        className="mx-auto w-full max-w-6xl px-4 py-6 outline-none sm:px-6 lg:py-8"
      >
        <Content path={path} />
      </main>
    </div>
  )
}
