/**
 * How often each case must at least occur in a thousand histories. Without this check, a change could make histories
 * miss a case and nothing would fail. Each number is a small fraction of the usual count.
 */
const perThousand: Readonly<Record<string, number>> = {
  "a cancelled delivery is redelivered": 5,
  "a delivered delivery is redelivered": 25,
  "a delivery fails for the fourth time": 250,
  "a delivery is cancelled in flight": 5,
  "a delivery fails without being sent": 1,
  "a delivery to a disabled webhook succeeds": 5,
  "a failed delivery is redelivered": 3,
  "a failed webhook is active again": 20,
  "a first attempt is repeated after its lease": 75,
  "a delivery is postponed because its claim is old": 5,
  "a suspect delivery is postponed": 1,
  "a suspect delivery is sent alone": 10,
  "a lease ends without a result": 75,
  "a manual attempt fails": 20,
  "a pending delivery is redelivered": 50,
  "a process reaches its maximum in flight": 250,
  "a process is killed with something in flight": 40,
  "a process is paused until its delivery is claimed again": 1,
  "a process is stopped with something in flight": 20,
  "a result concerns a URL that the webhook no longer has": 5,
  "a result arrives after its claim became stale": 20,
  "a result is recorded in spite of a disturbance": 500,
  "a secret is rotated": 40,
  "a result is deferred because its webhook is locked": 5,
  "a webhook is deleted between retries": 5,
  "a webhook is deleted with a delivery in flight": 5,
  "a webhook reaches its maximum in flight": 500,
  "a receiver answers 410": 20,
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
  "the clock is set forward with something in flight": 3,
  "the store: claim fails": 40,
  "the store: claim is slow": 20,
  "the store: record fails": 20,
  "the store: record is slow": 5,
  "the store: release fails": 2,
  "two processes run at the same time": 75,
  "a request is signed with two secrets": 50,
  "claims of an earlier process are released": 4,
  "a new delivery is sent after a notification": 75
}

/** With fewer histories the counts depend on the seed, so nothing is required. */
const minHistories = 1_000

/**
 * Returns the cases that occurred less often than required in this number of histories. Returns none for fewer than
 * {@link minHistories} histories.
 */
export const missing = (cases: ReadonlyMap<string, number>, histories: number): ReadonlyArray<string> =>
  Object.entries(perThousand).flatMap(([name, minimum]) => {
    const [times, required] = [cases.get(name) ?? 0, Math.floor((minimum * histories) / 1_000)]
    return histories >= minHistories && times < required ? [`${name}: ${times} times instead of ${required}`] : []
  })
