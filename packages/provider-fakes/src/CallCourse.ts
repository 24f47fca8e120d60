import type { Clock } from "./Clock.ts"
import type { Script } from "./Script.ts"

/**
 * A step in the course of a call: it rings, is answered, ends, its recording and other data are ready, its price is
 * known.
 */
export type Step = "ringing" | "answered" | "ended" | "data" | "price"

/** The course of a call up to now. Times are in milliseconds since 1970. */
export interface CallCourse {
  readonly script: Script
  readonly createdAt: number
  ringingAt: number | null
  answeredAt: number | null
  endedAt: number | null
  isHungUp: boolean
  hasData: boolean
  hasPrice: boolean
  /** The function that is called after each step. */
  onStep: (step: Step) => Promise<void>
}

/** Returns the course of a call that is created now. */
export const begin = (clock: Clock, script: Script): CallCourse => ({
  script,
  createdAt: clock.now(),
  ringingAt: null,
  answeredAt: null,
  endedAt: null,
  isHungUp: false,
  hasData: false,
  hasPrice: false,
  onStep: async () => {}
})

/** Plans the steps of a call on the clock, as its script describes. Calls `onStep` after each step. */
export const run = async (
  clock: Clock,
  course: CallCourse,
  maxSeconds: number,
  onStep: CallCourse["onStep"]
): Promise<void> => {
  course.onStep = onStep
  const { callbacks = {}, outcome = "talk", queueSeconds = 0, ringSeconds = 3, talkSeconds = 30 } = course.script
  if (callbacks.early === true) {
    course.ringingAt = clock.now()
    await onStep("ringing")
  }
  const isAnswered = outcome === "talk" || outcome === "voicemail"
  const ringsAt = clock.now() + queueSeconds * 1000
  const answeredAt = ringsAt + ringSeconds * 1000
  const endsAt = isAnswered ? answeredAt + Math.min(talkSeconds, maxSeconds) * 1000 : answeredAt
  const plan = (time: number, step: Step, change: () => void) =>
    clock.at(time, async () => {
      if (course.endedAt !== null) return
      change()
      await onStep(step)
    })
  // A call that fails at once does not ring.
  if (outcome !== "fail" && course.ringingAt === null) plan(ringsAt, "ringing", () => (course.ringingAt = clock.now()))
  if (isAnswered) plan(answeredAt, "answered", () => (course.answeredAt = clock.now()))
  clock.at(endsAt, () => end(clock, course))
}

/** Hangs up a call. Returns false when the call had already ended. */
export const hangUp = async (clock: Clock, course: CallCourse): Promise<boolean> => {
  if (course.endedAt !== null) return false
  course.isHungUp = true
  await end(clock, course)
  return true
}

const end = async (clock: Clock, course: CallCourse): Promise<void> => {
  if (course.endedAt !== null) return
  course.endedAt = clock.now()
  const { dataSeconds = 5, priceSeconds = 60 } = course.script
  clock.at(course.endedAt + dataSeconds * 1000, async () => {
    course.hasData = true
    await course.onStep("data")
  })
  clock.at(course.endedAt + priceSeconds * 1000, async () => {
    course.hasPrice = true
    await course.onStep("price")
  })
  await course.onStep("ended")
}
