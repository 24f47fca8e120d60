import type { Step } from "@frontdesk/core/webhook/DeliveryStore"

/** A step that came to these rows; one that came to fewer than it might have was the last. */
export const step = (count: number, ids: ReadonlyArray<number>, limit: number): Step => ({
  count,
  after: ids.length < limit ? null : (ids.at(-1) ?? null)
})
