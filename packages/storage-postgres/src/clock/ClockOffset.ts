/** A time of the server, read between two times of the monotonic clock here; all in milliseconds. */
export interface Sample {
  readonly sentAt: number
  readonly receivedAt: number
  readonly serverTime: number
}

/** How far the server's clock is ahead of the monotonic clock here, and how well that is known. */
export interface Offset {
  readonly value: number
  /** How much the value may have been off, when it was measured. */
  readonly error: number
  readonly measuredAt: number
}

/** How much the two clocks may drift apart, in milliseconds a millisecond. */
const drift = 0.0005

/** What one sample says: the server's clock was read somewhere between the two times. */
const measured = ({ receivedAt, sentAt, serverTime }: Sample): Offset => ({
  value: serverTime - (sentAt + receivedAt) / 2,
  error: (receivedAt - sentAt) / 2,
  measuredAt: receivedAt
})

const errorAt = ({ error, measuredAt }: Offset, now: number): number => error + Math.max(0, now - measuredAt) * drift

/**
 * What is known after another sample: the quicker the answer, the better the sample. A slow one only corrects what it
 * proves wrong.
 */
export const after = (known: Offset | undefined, sample: Sample): Offset => {
  const found = measured(sample)
  if (known === undefined) return found
  const error = errorAt(known, found.measuredAt)
  if (found.error <= error) return found
  const value = Math.min(Math.max(known.value, found.value - found.error), found.value + found.error)
  return value === known.value ? known : { value, error, measuredAt: found.measuredAt }
}
