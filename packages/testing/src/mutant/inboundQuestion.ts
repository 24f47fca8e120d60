import {
  CallProvider,
  type InboundDecision,
  type Ingested,
  type ProviderQuestion
} from "@frontdesk/core/call/CallProvider"
import { mutantsOf } from "./Mutant.ts"

type InboundQuestion = Extract<ProviderQuestion, { readonly _tag: "InboundCall" }>

/** Returns a mutation that changes each question about an inbound call. */
const asking =
  (change: (question: InboundQuestion) => InboundQuestion) =>
  ({ ingest }: CallProvider["Service"]): Pick<CallProvider["Service"], "ingest"> => ({
    ingest: (callback, now) => {
      const read = ingest(callback, now)
      return read._tag === "Asked" && read.question._tag === "InboundCall"
        ? { _tag: "Asked", question: change(read.question) }
        : read
    }
  })

/** Returns a mutation that changes each decision about an inbound call before the adapter writes it. */
const deciding = (change: (decision: InboundDecision) => InboundDecision) =>
  asking((question) => ({ ...question, bodyOf: (decision) => question.bodyOf(change(decision)) }))

/** Mutants of `CallProvider` in questions about inbound calls. To find them the suite needs a counterpart with `inbound`. */
export const inboundQuestion = mutantsOf(CallProvider, {
  "ingest counts a question as a callback without reports": (provider) => ({
    ingest: (callback, now) => {
      const read = provider.ingest(callback, now)
      return read._tag === "Asked" ? { _tag: "Reported", reports: [] } : read
    }
  }),
  "ingest does not check that the signature belongs to the body of a question": (provider) => {
    const asked = new Map<string, Ingested>()
    return {
      ingest: (callback, now) => {
        const key = JSON.stringify(callback.headers)
        const read = provider.ingest(callback, now)
        if (read._tag === "Asked") asked.set(key, read)
        return asked.get(key) ?? read
      }
    }
  },
  "ingest exchanges the numbers": asking((question) => ({
    ...question,
    numbers: { from: question.numbers.to, to: question.numbers.from ?? question.numbers.to }
  })),
  "ingest forgets the number of the person": asking((question) => ({
    ...question,
    numbers: { ...question.numbers, from: null }
  })),
  "bodyOf returns the same answer for each agent": deciding((decision) =>
    decision._tag === "Accepted" ? { ...decision, assistantId: "asst_ada" } : decision
  ),
  "bodyOf connects a refused call": deciding((decision) =>
    decision._tag === "Accepted"
      ? decision
      : { _tag: "Accepted", ref: null, assistantId: "asst_ada", variables: {}, maxDurationSeconds: 600 }
  ),
  "bodyOf refuses every call": deciding(() => ({ _tag: "Refused", say: "a mutant" })),
  "bodyOf throws for characters without a form in UTF-8": asking((question) => ({
    ...question,
    bodyOf: (decision) => {
      const text = decision._tag === "Refused" ? decision.say : decision.assistantId
      if (!text.isWellFormed()) throw new Error("a mutant")
      return question.bodyOf(decision)
    }
  })),
  "bodyOf has no content type": asking((question) => ({
    ...question,
    bodyOf: (decision) => ({ ...question.bodyOf(decision), contentType: "" })
  }))
})
