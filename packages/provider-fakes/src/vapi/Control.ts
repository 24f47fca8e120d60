import { hangUp } from "../CallCourse.ts"
import type { Answer } from "../CallbackSender.ts"
import type { Clock } from "../Clock.ts"
import { at, isObject, parseObject } from "../Fake.ts"
import type { Outgoing } from "../Service.ts"
import * as PhoneNumbers from "./PhoneNumbers.ts"
import * as Questions from "./Questions.ts"
import { endedReason, type FakeCall, sendsMessages, serverOf, statusOf } from "./Resources.ts"

type Fields = Readonly<Record<string, unknown>>

/** What the control paths of the fake work with. */
export interface ControlContext {
  readonly clock: Clock
  readonly numbers: PhoneNumbers.PhoneNumbers
  /** The id of a number that is set without one. */
  readonly defaultNumberId: string
  /** The timeout for the answer to an `assistant-request`, in milliseconds. */
  readonly assistantRequestTimeout: number
  readonly findCall: (id: string) => FakeCall | undefined
  /** Makes an inbound call, which rings and has no messages yet. */
  readonly ring: (number: PhoneNumbers.FakeNumber, from: string | undefined, origin: string) => FakeCall
  /** Sends the messages of a call from now on. */
  readonly watch: (call: FakeCall) => void
  /** Plans the course of a call. */
  readonly follow: (call: FakeCall) => Promise<void>
  /** Sends a message to the server of a call, and returns its answer, or null when there is none within the timeout. */
  readonly ask: (call: FakeCall, message: { readonly type: string }, timeoutMillis: number) => Promise<Answer | null>
}

const invalid = (message: string): Outgoing => ({ status: 400, body: { message } })

const conflict = (message: string): Outgoing => ({ status: 409, body: { message } })

/** Returns the answer of a server as the control paths show it. */
const shown = (answer: Answer | null) =>
  answer === null ? null : { status: answer.status, body: jsonOf(answer.body) ?? answer.body }

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the setup of an inbound call that a server answers with, or the reason for which Vapi ends the call. */
const setupOf = (answer: Answer | null): Fields | string => {
  if (answer === null || answer.status < 200 || answer.status > 299) return "assistant-request-failed"
  const { assistantId, assistantOverrides = {}, error } = parseObject(answer.body)
  if (typeof error === "string") return "assistant-request-returned-error"
  if (typeof assistantId !== "string") return "assistant-request-returned-no-assistant"
  return isObject(assistantOverrides) && isValid(assistantOverrides)
    ? { assistantId, assistantOverrides }
    : "assistant-request-returned-invalid-assistant"
}

const isAbsentOr = (isRight: (value: unknown) => boolean, value: unknown): boolean =>
  value === undefined || isRight(value)

const isValid = ({ maxDurationSeconds, metadata, server, serverMessages, variableValues }: Fields): boolean =>
  isAbsentOr((value) => typeof value === "number" && value >= 10 && value <= 43_200, maxDurationSeconds) &&
  isAbsentOr(isObject, metadata) &&
  isAbsentOr(isObject, variableValues) &&
  isAbsentOr((value) => typeof at(value, "url") === "string", server) &&
  isAbsentOr((value) => Array.isArray(value) && value.every((each) => typeof each === "string"), serverMessages)

/** Returns the tool calls that a request lists, or what is wrong with the list. */
const toolCallsOf = (given: unknown, newId: () => string): ReadonlyArray<Questions.ToolCall> | string => {
  const rule = `calls must be a list with at least one {"name": "…", "arguments": {…}}`
  if (!Array.isArray(given) || given.length === 0) return rule
  const calls: Array<Questions.ToolCall> = []
  for (const [index, each] of given.entries()) {
    const { arguments: args = {}, name } = isObject(each) ? each : {}
    if (typeof name !== "string") return `calls[${index}].name must be the name of a tool`
    if (!isObject(args)) return `calls[${index}].arguments must be an object`
    calls.push({ id: newId(), name, arguments: args })
  }
  return calls
}

/**
 * Makes the control paths that only the fake of Vapi has.
 *
 * - `POST /_sim/phone-numbers` adds a number of the organization.
 * - `POST /_sim/inbound` lets a person dial such a number.
 * - `POST /_sim/tool-calls` lets the model of a call use tools.
 */
export const make = (context: ControlContext) => {
  const { ask, clock, findCall, numbers } = context
  let toolCallCount = 0

  const setNumber = (input: Fields): Outgoing => {
    const number = PhoneNumbers.parse(input, context.defaultNumberId)
    if (typeof number === "string") return invalid(number)
    numbers.set(number)
    return { status: 201, body: PhoneNumbers.numberResource(number) }
  }

  /** Asks the server of the dialled number which assistant answers. Returns the answer as the control path shows it. */
  const requestAssistant = async (call: FakeCall) => {
    const message = Questions.assistantRequest(call, clock.now())
    const answer = await ask(call, message, context.assistantRequestTimeout)
    const setup = setupOf(answer)
    if (typeof setup === "string") call.endedReason = setup
    else call.request = { ...call.request, ...setup }
    return shown(answer)
  }

  const dial = async ({ from, to }: Fields, origin: string): Promise<Outgoing> => {
    const number = typeof to === "string" ? numbers.byNumber(to) : undefined
    if (number === undefined) return invalid("to must be a number that POST /_sim/phone-numbers has set")
    if (from !== undefined && typeof from !== "string") {
      return invalid("from must be the number of the caller, or be absent for a number that is withheld")
    }
    const call = context.ring(number, from, origin)
    const answer = number.assistantId === undefined ? await requestAssistant(call) : null
    if (call.endedReason === undefined) {
      await context.follow(call)
      // Vapi answers at once.
      await clock.advance(0)
    } else {
      context.watch(call)
      await hangUp(clock, call.course)
    }
    const ended = call.course.endedAt === null ? {} : { endedReason: endedReason(call) }
    return { status: 201, body: { callId: call.id, status: statusOf(call), ...ended, assistantRequest: answer } }
  }

  const useTools = async ({ callId, calls, shape = "text" }: Fields): Promise<Outgoing> => {
    if (typeof callId !== "string") return invalid("callId must be the id of a call at Vapi")
    const chosen = Questions.shapes.find((each) => each === shape)
    if (chosen === undefined) return invalid(`shape must be one of ${Questions.shapes.join(", ")}, or be absent`)
    const toolCalls = toolCallsOf(calls, () => `call_${callId.slice(0, 8)}_${toolCallCount++}`)
    if (typeof toolCalls === "string") return invalid(toolCalls)
    const call = findCall(callId)
    if (call === undefined) return { status: 404, body: { message: `There is no call with the id ${callId}` } }
    if (statusOf(call) !== "in-progress") {
      return conflict(`The call is ${statusOf(call)}. The model uses tools only while a call is in progress`)
    }
    if (!sendsMessages(call, "tool-calls")) {
      return conflict("Vapi sends no tool calls, because assistantOverrides.serverMessages has no tool-calls")
    }
    const server = serverOf(call)
    if (typeof at(server, "url") !== "string") return conflict("The call has no server to which Vapi sends messages")
    const seconds = at(server, "timeoutSeconds")
    const message = Questions.toolCalls(call, clock.now(), Questions.toolCallLists[chosen](toolCalls))
    const answer = shown(await ask(call, message, (typeof seconds === "number" ? seconds : 20) * 1000))
    return answer === null
      ? { status: 504, body: { message: "The server of the call has not answered" } }
      : { status: 200, body: answer }
  }

  return async (path: string, input: Fields, origin: string): Promise<Outgoing | undefined> => {
    switch (path) {
      case "/_sim/phone-numbers":
        return setNumber(input)
      case "/_sim/inbound":
        return dial(input, origin)
      case "/_sim/tool-calls":
        return useTools(input)
      default:
        return undefined
    }
  }
}
