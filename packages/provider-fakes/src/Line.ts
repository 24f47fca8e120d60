import type { Clock } from "./Clock.ts"
import type { Script } from "./Script.ts"

/** What happens to a call: it rings, is answered, ends, its recording and the like are there, its price is known. */
export type Step = "ringing" | "answered" | "ended" | "data" | "price"

/** A call as it stands. */
export interface Line {
  readonly script: Script
  readonly createdAt: number
  ringingAt: number | null
  answeredAt: number | null
  endedAt: number | null
  isHungUp: boolean
  hasData: boolean
  hasPrice: boolean
  /** Is told of each step after it was made. */
  happened: (step: Step) => Promise<void>
}

/** A call that begins now. */
export const begin = (clock: Clock, script: Script): Line => ({
  script,
  createdAt: clock.now(),
  ringingAt: null,
  answeredAt: null,
  endedAt: null,
  isHungUp: false,
  hasData: false,
  hasPrice: false,
  happened: async () => {}
})

/** Lets a call take its course; `happened` is told of each step after it was made. */
export const run = async (clock: Clock, line: Line, maxSeconds: number, happened: Line["happened"]): Promise<void> => {
  line.happened = happened
  const { callbacks = {}, outcome = "talk", queueSeconds = 0, ringSeconds = 3, talkSeconds = 30 } = line.script
  if (callbacks.early === true) {
    line.ringingAt = clock.now()
    await happened("ringing")
  }
  const isAnswered = outcome === "talk" || outcome === "voicemail"
  const rings = line.createdAt + queueSeconds * 1000
  const picksUp = rings + ringSeconds * 1000
  const ends = isAnswered ? picksUp + Math.min(talkSeconds, maxSeconds) * 1000 : picksUp
  const step = (time: number, name: Step, change: () => void) =>
    clock.at(time, async () => {
      if (line.endedAt !== null) return
      change()
      await happened(name)
    })
  // A call that fails at once has not rung.
  if (outcome !== "fail" && line.ringingAt === null) step(rings, "ringing", () => (line.ringingAt = clock.now()))
  if (isAnswered) step(picksUp, "answered", () => (line.answeredAt = clock.now()))
  clock.at(ends, () => end(clock, line))
}

/** Ends a call, and answers whether it had not ended. */
export const hangUp = async (clock: Clock, line: Line): Promise<boolean> => {
  if (line.endedAt !== null) return false
  line.isHungUp = true
  await end(clock, line)
  return true
}

const end = async (clock: Clock, line: Line): Promise<void> => {
  if (line.endedAt !== null) return
  line.endedAt = clock.now()
  const { dataSeconds = 5, priceSeconds = 60 } = line.script
  clock.at(line.endedAt + dataSeconds * 1000, async () => {
    line.hasData = true
    await line.happened("data")
  })
  clock.at(line.endedAt + priceSeconds * 1000, async () => {
    line.hasPrice = true
    await line.happened("price")
  })
  await line.happened("ended")
}
