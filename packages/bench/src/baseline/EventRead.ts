import { select } from "@frontdesk/storage-sql/calendar-event/CalendarEventRow"
import { type Caller, Refused } from "./Access.ts"
import type { Database } from "./Database.ts"
import { type CalendarEventRow, eventView, isId, linkSigner, secretText } from "./EventView.ts"

const visible = `${select}
  WHERE (calendar_event.account_id = ?1 OR calendar_event.team_id IN (SELECT value FROM json_each(?2)))
    AND calendar_event.`

/** Makes the function that reads a calendar event that the caller may see. */
export const eventReader = (database: Database): ((caller: Caller, key: string) => object) => {
  const byId = database.reader<CalendarEventRow>(`${visible}id = ?3`)
  const byUuid = database.reader<CalendarEventRow>(`${visible}uuid = ?3`)
  const link = linkSigner(database.reader<{ readonly value: string }>(secretText)()?.value)
  return (caller, key) => {
    const event = isId(key)
      ? byId(caller.accountId, caller.teamIds, Number(key))
      : byUuid(caller.accountId, caller.teamIds, key.toLowerCase())
    if (event === undefined) throw new Refused(404, "not_found", "No event has this id")
    return eventView(event, link)
  }
}
