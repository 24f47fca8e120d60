import { type AllowedTools, isAllowed } from "@frontdesk/core/agent/AgentTool"
import type { CallerPermission } from "@frontdesk/core/access/Permission"
import type { FieldProblem } from "@frontdesk/core/values/ValidationError"
import * as Tracing from "@frontdesk/core/values/Tracing"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import { english } from "../speech/English.ts"
import type { Texts } from "../speech/Texts.ts"
import * as Answer from "./Answer.ts"
import { defaultLimit, within } from "./TimeLimit.ts"
import type { Tool } from "./Tool.ts"
import type { AnswersByName, Refusal } from "./ToolAnswers.ts"
import { type ArgumentsByName, byName, isToolName, type ToolName, toolNames } from "./Tools.ts"

/** Runs one tool with decoded arguments. A refusal is an answer with `error`, so a runner does not fail. */
export type Runner<N extends ToolName, R = never> = (
  args: ArgumentsByName[N]
) => Effect.Effect<AnswersByName[N] | Refusal, never, R>

/** What runs the tools. A tool without a runner is not listed. */
export type Runners<R = never> = { readonly [N in ToolName]?: Runner<N, R> | undefined }

/** The tools that one caller may call, and during which call. Every surface is made from a toolbox. */
export interface Toolbox<out R = never> {
  /** The tools that the caller may call, in the order of `Tools.toolNames`. */
  readonly tools: ReadonlyArray<Tool<ToolName>>
  /**
   * Calls a tool. Always returns an answer: also for an unknown name, for wrong arguments, for a tool that takes too long,
   * and for a defect.
   */
  readonly call: (name: string, args: unknown) => Effect.Effect<Answer.Answer, never, R>
  /** The texts of the caller's account. A surface uses them where it answers without a tool. */
  readonly texts: Texts
}

/** Options of {@link make}. */
export interface Options<R> {
  /** The permissions of the API key, or of the account when a provider's signed message replaces the key. */
  readonly permissions: ReadonlySet<CallerPermission>
  /** Whether the tools are called during a telephone call. Without one, the tools that act for the person on the telephone are not listed. */
  readonly hasCall: boolean
  readonly runners: Runners<R>
  /** The tools that the agent of the call may use. Default: null, which allows every tool. */
  readonly allowedTools?: AllowedTools | null | undefined
  /** Default: {@link english}. */
  readonly texts?: Texts | undefined
  /** The time in which a tool must answer. Default: 2 seconds. */
  readonly limit?: Duration.Input | undefined
}

/** Returns the toolbox of a caller. */
export const make = <R = never>({
  allowedTools = null,
  hasCall,
  limit = defaultLimit,
  permissions,
  runners,
  texts = english
}: Options<R>): Toolbox<R> => {
  const isListed = (name: ToolName): boolean =>
    runners[name] !== undefined &&
    isAllowed(allowedTools, name) &&
    permissions.has(byName[name].permission) &&
    (hasCall || !byName[name].needsCall)
  const listed = toolNames.filter(isListed)

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- It ties the runner to the tool of that name.
  const run = <N extends ToolName>(name: N, args: unknown): Effect.Effect<Answer.Answer, never, R> => {
    const runner = runners[name]
    if (runner === undefined) return Effect.succeed(unknownTool(texts, name))
    const decoded = byName[name].decode(args ?? {})
    if (Result.isFailure(decoded)) return Effect.succeed(invalidArguments(texts, decoded.failure))
    const answer = Effect.suspend(() => runner(decoded.success)).pipe(
      Effect.map(Answer.toJson),
      Effect.catchDefect((defect) =>
        Effect.as(Effect.logError(`The tool ${name} failed with a defect`, defect), {
          say: texts.serverError,
          error: Answer.codes.serverError
        })
      )
    )
    return within(answer, limit, () => Effect.succeed(timedOut(texts))).pipe(Tracing.span(`Toolbox.${name}`))
  }

  return {
    tools: listed.map((name) => byName[name]),
    call: (name, args) =>
      isToolName(name) && listed.includes(name) ? run(name, args) : Effect.succeed(unknownTool(texts, name)),
    texts
  }
}

/** One tool call with its answer, as it is stored with the call. */
export interface ToolCall {
  readonly name: string
  /** The arguments as they were given. They may be wrong, and their size is limited by the surface alone. */
  readonly args: unknown
  readonly answer: Answer.Answer
  /** When the tool was called, in epoch milliseconds. */
  readonly at: number
  readonly durationMillis: number
}

/**
 * Returns a toolbox that passes each tool call to `observe`, for example to store it. A call that a surface interrupts at its
 * time limit is passed with the answer of a tool that took too long.
 *
 * `observe` runs in a fiber of its own, so it delays no answer. A defect in it is logged.
 */
export const observed = <R, R1>(
  toolbox: Toolbox<R>,
  observe: (call: ToolCall) => Effect.Effect<unknown, never, R1>
): Toolbox<R | R1> => ({
  ...toolbox,
  call: (name, args) =>
    Effect.gen(function* () {
      const at = yield* Clock.currentTimeMillis
      return yield* Effect.onExit(toolbox.call(name, args), (exit) =>
        Effect.gen(function* () {
          const durationMillis = (yield* Clock.currentTimeMillis) - at
          const answer = Exit.isSuccess(exit) ? exit.value : timedOut(toolbox.texts)
          const observing = Effect.suspend(() => observe({ name, args, answer, at, durationMillis }))
          yield* Effect.forkDetach(
            Effect.catchDefect(observing, (defect) =>
              Effect.logError(`A call of ${name} could not be observed`, defect)
            )
          )
        })
      )
    })
})

/** Returns a toolbox without tools, for example for a call that is not known. Every call has the same answer. */
export const refusing = (answer: Answer.Answer, texts: Texts = english): Toolbox => ({
  tools: [],
  call: () => Effect.succeed(Answer.toJson(answer)),
  texts
})

/** Returns the answer of a tool that took too long. */
export const timedOut = (texts: Texts): Answer.Answer => ({ say: texts.timeout, error: Answer.codes.timeout })

/** Returns the answer to wrong arguments. */
export const invalidArguments = (texts: Texts, problems: ReadonlyArray<FieldProblem>): Refusal => ({
  say: texts.invalidArguments(problems[0]?.field ?? ""),
  error: Answer.codes.invalidArguments,
  details: problems.map(({ code, field, message }) => ({ field, code, message }))
})

const unknownTool = (texts: Texts, name: string): Answer.Answer => ({
  say: texts.unknownTool,
  error: Answer.codes.unknownTool,
  tool: name.slice(0, 100).toWellFormed().replaceAll("\0", "")
})
