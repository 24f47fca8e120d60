/**
 * What must happen in a thousand histories, and how often at least, so that a simulation cannot become empty unnoticed.
 * Each number is a small part of what is usual.
 */
const perThousand: Readonly<Record<string, number>> = {
  "a cancelled delivery is redelivered": 5,
  "a delivered delivery is redelivered": 25,
  "a delivery fails for the fourth time": 250,
  "a delivery is cancelled in flight": 5,
  "a delivery is given up unsent": 1,
  "a disabled webhook takes a delivery": 5,
  "a failed delivery is redelivered": 3,
  "a failed webhook is active again": 20,
  "a first attempt is made again": 75,
  "a delivery is put back because its claim is old": 5,
  "a delivery under suspicion is put back": 1,
  "a delivery under suspicion is sent alone": 10,
  "a lease runs out": 75,
  "a manual try fails": 20,
  "a pending delivery is redelivered": 50,
  "a process has all it may have in flight": 250,
  "a process is killed with something in flight": 40,
  "a process is paused until its lease is another's": 1,
  "a process is stopped with something in flight": 20,
  "a result comes of a URL that its webhook no longer has": 5,
  "a result comes too late for its lease": 20,
  "a result is kept although something was in the way": 500,
  "a secret is rotated": 40,
  "a webhook is held while its result is recorded": 5,
  "a webhook is deleted between retries": 5,
  "a webhook is deleted with a delivery in flight": 5,
  "an endpoint has all it may have in flight": 500,
  "an endpoint is gone": 20,
  "delivered at attempt 1": 250,
  "delivered at attempt 2": 150,
  "delivered at attempt 3": 75,
  "delivered at attempt 4": 40,
  "retry 1 is exactly on time": 75,
  "retry 2 is exactly on time": 75,
  "retry 3 is exactly on time": 75,
  "the answer to a claim is lost": 5,
  "the answer to a record is lost": 5,
  "the clock is set back with something in flight": 3,
  "the clock is set on with something in flight": 3,
  "the store: claim fails": 40,
  "the store: claim is slow": 20,
  "the store: record fails": 20,
  "the store: record is slow": 5,
  "the store: release fails": 2,
  "two processes run at once": 75,
  "two secrets sign": 50,
  "what a predecessor held is released": 4,
  "what is new is sent at a notify": 75
}

/** Below so many histories the number of times depends on the seed, so nothing is expected. */
const leastHistories = 1_000

/**
 * Returns the things that happened less often than they must in so many histories; nothing in fewer than
 * {@link leastHistories}, where a seed that does not bring a thing about is no failure.
 */
export const missing = (seen: ReadonlyMap<string, number>, histories: number): ReadonlyArray<string> =>
  Object.entries(perThousand).flatMap(([thing, least]) => {
    const [times, wanted] = [seen.get(thing) ?? 0, Math.floor((least * histories) / 1_000)]
    return histories >= leastHistories && times < wanted ? [`${thing}: ${times} times instead of ${wanted}`] : []
  })
