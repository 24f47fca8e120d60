import type { AccountPart } from "@frontdesk/core/statistics/Statistic"
import * as StatisticRule from "@frontdesk/core/statistics/StatisticRule"
import type { CallRow, CalendarEventRow, DeliveryRow, State } from "../storage/State.ts"
import * as Table from "../storage/Table.ts"

/** Appends to the statistics what a change of one record adds. `before` is null for a new record. */
const append = (state: State, before: AccountPart | null, after: AccountPart): State => {
  const parts = StatisticRule.partsOf(before, after)
  return parts.length === 0
    ? state
    : { ...state, statisticParts: parts.reduce((all, part) => Table.insert(all, () => part)[1], state.statisticParts) }
}

/** Appends what a change of a call adds. */
export const ofCall = (state: State, before: CallRow | null, after: CallRow): State =>
  append(state, before === null ? null : StatisticRule.ofCall(before), StatisticRule.ofCall(after))

/** Appends what a change of a calendar event adds. */
export const ofCalendarEvent = (state: State, before: CalendarEventRow | null, after: CalendarEventRow): State =>
  append(state, before === null ? null : StatisticRule.ofCalendarEvent(before), StatisticRule.ofCalendarEvent(after))

const deliveryPart = ({ event, state }: DeliveryRow): AccountPart =>
  StatisticRule.ofDelivery({ accountId: event.accountId, createdAt: event.createdAt, state })

/** Appends what a change of a delivery adds. */
export const ofDelivery = (state: State, before: DeliveryRow, after: DeliveryRow): State =>
  append(state, deliveryPart(before), deliveryPart(after))
