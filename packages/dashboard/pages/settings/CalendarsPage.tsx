import { getRouteApi } from "@tanstack/react-router"
import { useState } from "react"
import { useSession } from "../app/Session.tsx"
import { Button } from "../ui/Button.tsx"
import { Remote } from "../ui/Remote.tsx"
import { Card, Page } from "../ui/Page.tsx"
import { ConnectCaldav } from "./calendarCaldav.tsx"
import { ConnectOAuth } from "./calendarOAuth.tsx"
import { Connection } from "./calendarConnection.tsx"
import { nameOf, type Provider, providers, useExternalCalendars } from "./calendarProviders.ts"

const route = getRouteApi("/settings/calendars")

/** Why a connection was not made, by the word that the server puts into the address of the page. */
const failures: { readonly [result: string]: string } = {
  access_denied: "Access to the calendar was not granted, so nothing was changed.",
  expired: "That took too long, so nothing was changed. Connect the calendar again.",
  already_used: "This attempt had already ended. The list below shows the result.",
  refused: "The calendar cannot be used with the access that was granted, so nothing was changed. Connect it again.",
  unavailable: "The calendar cannot be reached at the moment, so nothing was changed. Connect it again later.",
  invalid: "This server did not begin the attempt, so nothing was changed."
}

/** What came of the visit at Google or Microsoft, from which the browser has just returned. */
const Result = () => {
  const { connected, error } = route.useSearch()
  const navigate = route.useNavigate()
  if (connected === undefined && error === undefined) return null
  const text =
    error === undefined
      ? `${nameOf(connected ?? "")} is connected.`
      : (failures[error] ?? "The calendar was not connected. Connect it again.")
  return (
    <div
      role={error === undefined ? "status" : "alert"}
      className={`flex items-center justify-between gap-3 rounded-xl py-2 pr-2 pl-4 ${error === undefined ? "bg-good-ground text-good" : "bg-bad-ground text-bad"}`}
    >
      <p>{text}</p>
      <Button
        kind="quiet"
        aria-label="Hide this message"
        onClick={() => void navigate({ search: () => ({}), replace: true })}
      >
        ✕
      </Button>
    </div>
  )
}

/** The external calendars of the account: one of each provider. */
export const CalendarsPage = () => {
  const { can } = useSession()
  const [connecting, setConnecting] = useState<Provider | null>(null)
  const close = () => setConnecting(null)
  const calendars = useExternalCalendars()
  return (
    <Page
      title="Calendars"
      hint="What is busy in a connected calendar is not offered as a free time, and appointments are copied to it."
    >
      <Result />
      <Card>
        <Remote query={calendars}>
          {({ connections, providers: offered }) => (
            <ul>
              {providers.map((provider) => (
                <Connection
                  key={provider}
                  provider={provider}
                  connection={connections.find((one) => one.provider === provider) ?? null}
                  isOffered={offered.includes(provider)}
                  mayChange={can("can_manage_account")}
                  onConnect={() => setConnecting(provider)}
                />
              ))}
            </ul>
          )}
        </Remote>
      </Card>
      {connecting === "apple" && <ConnectCaldav onClose={close} />}
      {connecting !== null && connecting !== "apple" && <ConnectOAuth provider={connecting} onClose={close} />}
    </Page>
  )
}
