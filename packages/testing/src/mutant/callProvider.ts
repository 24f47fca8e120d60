import {
  CallProvider,
  type CallReport,
  type CallSnapshot,
  type HangUpAnswer,
  type Ingested,
  type KnownCall,
  type ProviderReport,
  type StartCall,
  type StartRefusal
} from "@frontdesk/core/call/CallProvider"
import { PhoneNumber } from "@frontdesk/core/values/PhoneNumber"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { mutantsOf } from "./Mutant.ts"

/** Returns a snapshot with other reports, if the provider has the call. */
const withReports =
  (change: (reports: ReadonlyArray<ProviderReport>) => ReadonlyArray<ProviderReport>) =>
  (snapshot: CallSnapshot): CallSnapshot =>
    snapshot._tag === "Known" ? { ...snapshot, reports: change(snapshot.reports) } : snapshot

/** Returns a mutation that changes the command before the adapter receives it. */
const changing = (change: (command: StartCall) => StartCall) => (provider: CallProvider["Service"]) => ({
  start: (command: StartCall) => provider.start(change(command))
})

/** Returns a mutation that changes the answer to a hang-up which is unknown although the provider can be reached. */
const afterLostHangUp = (answer: () => HangUpAnswer) => (provider: CallProvider["Service"]) => ({
  hangUp: Effect.fnUntraced(function* (call: KnownCall) {
    const given = yield* provider.hangUp(call)
    if (given._tag !== "Unknown") return given
    const snapshot = yield* provider.fetch(call)
    return snapshot._tag === "Known" ? answer() : given
  })
})

/** Returns a mutation of `preflight` that changes a refusal. */
const refusingWith =
  (change: (refusal: StartRefusal) => Partial<StartRefusal>) =>
  ({ preflight }: CallProvider["Service"]): Pick<CallProvider["Service"], "preflight"> => ({
    preflight: (command) => {
      const refused = preflight(command)
      return refused === null ? null : { ...refused, ...change(refused) }
    }
  })

/** Starts a call, and removes a text from a refusal that the preflight has foreseen. */
const withoutText = ({ preflight, start }: CallProvider["Service"], command: StartCall, field: "code" | "reason") =>
  Effect.map(start(command), (answer) =>
    answer._tag === "Refused" && preflight(command) !== null ? { ...answer, [field]: "" } : answer
  )

const refusal = { _tag: "Refused", code: "refused", reason: "a mutant", retryable: false } as const

/**
 * Mutants of `CallProvider`. To find all of them the suite needs a counterpart with `paddedCallback`, a number that is
 * refused, an unsupported command, and a provider that stores the reference and reports by callbacks. Those of `reports`
 * are in {@link reports}.
 */
export const callProvider = mutantsOf(CallProvider, {
  "start refuses a call that may have been dialled": (provider) => ({
    start: (command) => Effect.map(provider.start(command), (answer) => (answer._tag === "Unknown" ? refusal : answer))
  }),
  "start dials again after an ambiguous answer": (provider) => ({
    start: (command) =>
      Effect.flatMap(provider.start(command), (answer) =>
        answer._tag === "Unknown" ? provider.start(command) : Effect.succeed(answer)
      )
  }),
  "start dials twice": (provider) => ({
    start: (command) => Effect.andThen(provider.start(command), provider.start(command))
  }),
  "start counts a refusal as unknown": (provider) => ({
    start: (command) =>
      Effect.map(provider.start(command), (answer) =>
        answer._tag === "Refused" ? { _tag: "Unknown" as const, cause: answer.reason } : answer
      )
  }),
  "start calls every refusal final": (provider) => ({
    start: (command) =>
      Effect.map(provider.start(command), (answer) =>
        answer._tag === "Refused" ? { ...answer, retryable: false } : answer
      )
  }),
  "start calls every refusal retryable": (provider) => ({
    start: (command) =>
      Effect.map(provider.start(command), (answer) =>
        answer._tag === "Refused" ? { ...answer, retryable: true } : answer
      )
  }),
  "start gives no code": (provider) => ({
    start: (command) =>
      Effect.map(provider.start(command), (answer) => (answer._tag === "Refused" ? { ...answer, code: "" } : answer))
  }),
  "start returns another id": (provider) => ({
    start: (command) =>
      Effect.map(provider.start(command), (answer) =>
        answer._tag === "Accepted" ? { ...answer, providerCallId: command.ref } : answer
      )
  }),
  "start returns the id of the first call": (provider) => {
    let id: string | undefined
    return {
      start: (command) =>
        Effect.map(provider.start(command), (answer) => {
          if (answer._tag !== "Accepted") return answer
          id ??= answer.providerCallId
          return { ...answer, providerCallId: id }
        })
    }
  },
  "start leaves out the variables": changing((command) => ({ ...command, variables: {} })),
  "start ignores the maximum duration": changing((command) => ({ ...command, maxDurationSeconds: 3_600 })),
  "start dials another number": changing((command) => ({ ...command, to: PhoneNumber.make("+12025550112") })),
  "start does not send the reference": changing((command) => ({ ...command, ref: "call" })),
  "preflight refuses a call that start accepts": () => ({ preflight: () => refusal }),
  "preflight accepts a call that start refuses": () => ({ preflight: () => null }),
  "preflight refuses a call the second time": (provider) => {
    const known = new Set<string>()
    return {
      preflight: (command) => (known.has(command.ref) ? refusal : (known.add(command.ref), provider.preflight(command)))
    }
  },
  "preflight refuses with another code than start": refusingWith(() => ({ code: "other" })),
  "preflight refuses with another reason than start": refusingWith(() => ({ reason: "other" })),
  "preflight refuses a call for now that start refuses for good": refusingWith(() => ({ retryable: true })),
  "preflight and start refuse without a code": (provider) => ({
    ...refusingWith(() => ({ code: "" }))(provider),
    start: (command) => withoutText(provider, command, "code")
  }),
  "preflight and start refuse without a reason": (provider) => ({
    ...refusingWith(() => ({ reason: "" }))(provider),
    start: (command) => withoutText(provider, command, "reason")
  }),
  "preflight throws for a call that start refuses": (provider) => ({
    preflight: (command) => {
      if (provider.preflight(command) !== null) throw new Error("a mutant")
      return null
    }
  }),
  "preflight asks the provider for the call": (provider) => ({
    preflight: (command) => {
      const refused = provider.preflight(command)
      if (refused === null) Effect.runFork(provider.start(command))
      return refused
    }
  }),
  "start asks the provider for a call that the preflight refuses": (provider) => {
    let supported: StartCall | undefined
    return {
      start: Effect.fnUntraced(function* (command) {
        const refused = provider.preflight(command)
        if (refused === null) supported = command
        else if (supported !== undefined) yield* provider.start({ ...supported, ref: command.ref })
        return yield* provider.start(command)
      })
    }
  },
  "start accepts a call that the preflight refuses": (provider) => ({
    start: (command) =>
      Effect.map(provider.start(command), (answer) =>
        provider.preflight(command) === null ? answer : { _tag: "Accepted" as const, providerCallId: command.ref }
      )
  }),
  "maxCallbackBytes is 0": () => ({ maxCallbackBytes: 0 }),
  "maxCallbackBytes is less than the size of a callback": () => ({ maxCallbackBytes: 64 }),
  "maxCallbackBytes is negative": () => ({ maxCallbackBytes: -1 }),
  "maxCallbackBytes is not finite": () => ({ maxCallbackBytes: Number.POSITIVE_INFINITY }),
  "maxCallbackBytes is not a whole number": ({ maxCallbackBytes }) => ({ maxCallbackBytes: maxCallbackBytes + 0.5 }),
  "ingest does not read a callback of maxCallbackBytes": ({ ingest, maxCallbackBytes }) => ({
    ingest: (callback, now) =>
      callback.body.length < maxCallbackBytes ? ingest(callback, now) : { _tag: "Malformed", reason: "a mutant" }
  }),
  "ingest reads only the beginning of a large callback": ({ ingest }) => ({
    ingest: (callback, now) => ingest({ ...callback, body: callback.body.slice(0, 32_768) }, now)
  }),
  "reports repeats what callbacks report": (provider) => {
    const queue = Effect.runSync(Queue.unbounded<CallReport>())
    return {
      ingest: (callback, now) => {
        const read = provider.ingest(callback, now)
        if (read._tag === "Reported") for (const report of read.reports) Queue.offerUnsafe(queue, report)
        return read
      },
      reports: Stream.fromQueue(queue)
    }
  },
  "fetch returns NotFound when the provider fails": (provider) => ({
    fetch: (call) =>
      Effect.map(provider.fetch(call), (snapshot) =>
        snapshot._tag === "Unreachable" ? { _tag: "NotFound" as const } : snapshot
      )
  }),
  "fetch returns Unreachable for an unknown call": (provider) => ({
    fetch: (call) =>
      Effect.map(provider.fetch(call), (snapshot) =>
        snapshot._tag === "NotFound" ? { _tag: "Unreachable" as const, cause: "a mutant" } : snapshot
      )
  }),
  "fetch does not find a call by the reference": (provider) => ({
    fetch: (call) =>
      call.providerCallId === null ? Effect.succeed({ _tag: "NotFound" as const }) : provider.fetch(call)
  }),
  "fetch returns the call that was asked for first": (provider) => {
    let first: Parameters<typeof provider.fetch>[0] | undefined
    return {
      fetch: (call) => {
        first ??= call
        return provider.fetch({ ...first, createdAt: call.createdAt })
      }
    }
  },
  "fetch forgets the end": (provider) => ({
    fetch: (call) =>
      Effect.map(
        provider.fetch(call),
        withReports((all) => all.filter(({ _tag }) => _tag !== "Ended"))
      )
  }),
  "fetch reports the end twice": (provider) => ({
    fetch: (call) =>
      Effect.map(
        provider.fetch(call),
        withReports((all) => [...all, ...all.filter(({ _tag }) => _tag === "Ended")])
      )
  }),
  "fetch forgets that a call was answered": (provider) => ({
    fetch: (call) =>
      Effect.map(
        provider.fetch(call),
        withReports((all) => all.filter(({ _tag }) => _tag !== "Answered"))
      )
  }),
  "the end has another time of the answer": (provider) => ({
    fetch: (call) =>
      Effect.map(
        provider.fetch(call),
        withReports((all) =>
          all.map((report) =>
            report._tag === "Answered" ? { ...report, at: DateTime.add(report.at, { seconds: 1 }) } : report
          )
        )
      )
  }),
  "hangUp does not end the call": () => ({ hangUp: () => Effect.succeed({ _tag: "Ended" }) }),
  "hangUp returns Ended when the provider fails": (provider) => ({
    hangUp: (call) =>
      Effect.map(provider.hangUp(call), (answer) => (answer._tag === "Unknown" ? { _tag: "Ended" as const } : answer))
  }),
  "hangUp returns Ended when only its own answer is lost": afterLostHangUp(() => ({ _tag: "Ended" })),
  "hangUp returns AlreadyOver when only its own answer is lost": afterLostHangUp(() => ({ _tag: "AlreadyOver" })),
  "hangUp dies when only its own answer is lost": afterLostHangUp(() => {
    throw new Error("a mutant")
  }),
  "fetch does not return the end of a call after a hang-up whose answer was lost": (provider) => {
    const lost = new Set<string>()
    return {
      hangUp: (call) =>
        Effect.tap(provider.hangUp(call), ({ _tag }) => Effect.sync(() => _tag === "Unknown" && lost.add(call.ref))),
      fetch: (call) =>
        Effect.map(
          provider.fetch(call),
          withReports((all) => (lost.has(call.ref) ? all.filter(({ _tag }) => _tag !== "Ended") : all))
        )
    }
  },
  "hangUp returns Ended for a call that it had ended with a lost answer": (provider) => {
    const lost = new Set<string>()
    return {
      hangUp: (call) =>
        Effect.map(provider.hangUp(call), (answer) => {
          if (answer._tag === "Unknown") lost.add(call.ref)
          return answer._tag === "AlreadyOver" && lost.has(call.ref) ? { _tag: "Ended" as const } : answer
        })
    }
  },
  "hangUp returns AlreadyOver for an unknown call": (provider) => ({
    hangUp: (call) =>
      Effect.map(provider.hangUp(call), (answer) =>
        answer._tag === "Unknown" ? { _tag: "AlreadyOver" as const } : answer
      )
  }),
  "hangUp returns Ended for a call that is over": (provider) => ({
    hangUp: (call) =>
      Effect.map(provider.hangUp(call), (answer) =>
        answer._tag === "AlreadyOver" ? { _tag: "Ended" as const } : answer
      )
  }),
  "ingest does not check signatures": () => ({ ingest: () => ({ _tag: "Reported", reports: [] }) }),
  "ingest refuses every callback": () => ({ ingest: () => ({ _tag: "BadSignature" }) }),
  "ingest does not check that the signature belongs to the body": (provider) => {
    const accepted = new Map<string, Ingested>()
    return {
      ingest: (callback, now) => {
        const key = JSON.stringify(callback.headers)
        const known = accepted.get(key)
        if (known !== undefined) return known
        const read = provider.ingest(callback, now)
        if (read._tag === "Reported") accepted.set(key, read)
        return read
      }
    }
  },
  "mayBeAuthentic refuses an authentic callback": () => ({ mayBeAuthentic: () => false }),
  "variablesOf does not check signatures": () => ({ variablesOf: () => "call_1" }),
  "check finds the provider unusable": (provider) => ({
    check: Effect.map(provider.check, (check) => ({ ...check, isUsable: false }))
  }),
  "check explains nothing": (provider) => ({
    check: Effect.map(provider.check, (check) => ({ ...check, says: "" }))
  })
})

/** Returns a mutation that changes each report of the stream. */
const reporting =
  (change: (report: CallReport) => CallReport) =>
  ({ reports: stream }: CallProvider["Service"]): Pick<CallProvider["Service"], "reports"> => ({
    reports: Stream.map(stream, change)
  })

/** Mutants of `CallProvider.reports`. To find them the suite needs a provider that reports without callbacks. */
export const reports = mutantsOf(CallProvider, {
  "reports has the reference of another call": reporting((one) => ({ ...one, ref: "call_other" })),
  "reports has the reference instead of the provider's id": reporting((one) => ({
    ...one,
    providerCallId: one.ref ?? ""
  })),
  "reports has the id of a call that does not exist": reporting((one) => ({
    ...one,
    ref: null,
    providerCallId: `${one.providerCallId}0`
  })),
  "reports has another time of the answer than fetch": reporting((one) =>
    one.report._tag === "Answered"
      ? { ...one, report: { ...one.report, at: DateTime.add(one.report.at, { seconds: 1 }) } }
      : one
  ),
  "reports has another end than fetch": reporting((one) =>
    one.report._tag === "Ended" ? { ...one, report: { ...one.report, reason: "a mutant" } } : one
  ),
  "reports has a transcript that fetch does not return": ({ reports: stream }) => ({
    reports: Stream.flatMap(stream, (one) =>
      Stream.make(one, { ...one, report: { _tag: "Transcript" as const, text: "a mutant" } })
    )
  }),
  "reports has the end of a call before fetch returns it": ({ fetch, reports: stream }) => {
    const hidden = new Set<string>()
    return {
      reports: Stream.tap(stream, ({ providerCallId }) => Effect.sync(() => hidden.add(providerCallId))),
      fetch: (call) =>
        Effect.map(fetch(call), (snapshot) =>
          call.providerCallId !== null && hidden.delete(call.providerCallId)
            ? withReports((all) => all.filter(({ _tag }) => _tag !== "Ended"))(snapshot)
            : snapshot
        )
    }
  },
  "reports dies": ({ reports: stream }) => ({
    reports: Stream.mapEffect(stream, () => Effect.die(new Error("a mutant")))
  })
})
