/**
 * A time of the server, and the times of the monotonic clock of this machine before and after it was read. All in
 * milliseconds.
 */
export interface Sample {
  readonly sentAt: number
  readonly receivedAt: number
  readonly serverTime: number
}

/** How far the server's clock is ahead of the monotonic clock of this machine, and how precisely that is known. */
export interface Offset {
  readonly value: number
  /** The maximum error of the value when it was measured. */
  readonly error: number
  readonly measuredAt: number
}

/** The maximum drift between the two clocks, in milliseconds per millisecond. */
const drift = 0.0005

/** Returns the offset that one sample shows. The server's clock was read at some moment between the two times. */
const measured = ({ receivedAt, sentAt, serverTime }: Sample): Offset => ({
  value: serverTime - (sentAt + receivedAt) / 2,
  error: (receivedAt - sentAt) / 2,
  measuredAt: receivedAt
})

const errorAt = ({ error, measuredAt }: Offset, now: number): number => error + Math.max(0, now - measuredAt) * drift

/**
 * Returns the offset after another sample. A sample with a shorter round trip is more precise and replaces the offset.
 * A less precise one only corrects the part that it disproves.
 */
export const after = (known: Offset | undefined, sample: Sample): Offset => {
  const found = measured(sample)
  if (known === undefined) return found
  const error = errorAt(known, found.measuredAt)
  if (found.error <= error) return found
  const value = Math.min(Math.max(known.value, found.value - found.error), found.value + found.error)
  return value === known.value ? known : { value, error, measuredAt: found.measuredAt }
}
