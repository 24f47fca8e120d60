import type { CallOptions, Json, List } from "./common.ts"
import type { VariableScalar } from "./call.ts"

/** The type of a variable's values. */
export type VariableType = "text" | "number" | "date" | "boolean" | "select"

/** The context that holds a variable's values: each contact, or the account's business. */
export type ContextType = "contact" | "business"

/** The definition of a context variable. */
export interface ContextVariable {
  readonly id: number
  readonly accountId: number
  /** The team whose accounts see the definition. Null when only the owner sees it. */
  readonly teamId: number | null
  readonly name: string
  readonly displayName: string
  readonly description: string | null
  readonly variableType: VariableType
  readonly contextType: ContextType
  readonly isDefault: boolean
  /** The options of a `select`, in order. Null for every other type. */
  readonly selectOptions: ReadonlyArray<string> | null
}

/** The definition to create. */
export interface CreateVariable {
  readonly name: string
  readonly displayName: string
  readonly variableType: VariableType
  readonly contextType: ContextType
  readonly description?: string | null | undefined
  readonly selectOptions?: ReadonlyArray<string> | null | undefined
  readonly teamId?: number | null | undefined
}

/** The definition that replaces the stored one. Name and context type never change. Null counts as absent. */
export interface PutVariable {
  readonly displayName?: string | null | undefined
  readonly description?: string | null | undefined
  readonly variableType?: VariableType | null | undefined
  readonly selectOptions?: ReadonlyArray<string> | null | undefined
}

/** A change of a definition. An absent field keeps its value. Null clears the description and the options. */
export interface PatchVariable {
  readonly displayName?: string | undefined
  readonly description?: string | null | undefined
  readonly variableType?: VariableType | undefined
  readonly selectOptions?: ReadonlyArray<string> | null | undefined
}

/** The definitions of context variables that the caller sees. */
export interface ContextVariables {
  /** Lists the definitions, of one context type or of both. */
  readonly list: (contextType?: ContextType, options?: CallOptions) => List<ContextVariable>
  /** Adds a definition, and returns it. */
  readonly create: (input: CreateVariable, options?: CallOptions) => Promise<ContextVariable>
  /** Replaces a definition, and returns it. */
  readonly put: (id: number, input: PutVariable, options?: CallOptions) => Promise<ContextVariable>
  /** Changes the given fields of a definition, and returns it. */
  readonly patch: (id: number, patch: PatchVariable, options?: CallOptions) => Promise<ContextVariable>
  /** Deletes a definition. Default variables cannot be deleted. */
  readonly delete: (id: number, options?: CallOptions) => Promise<void>
}

/** A change of the business context. */
export interface SetBusinessContext {
  /** The values to set by name. Null removes a value. */
  readonly variables: { readonly [name: string]: Json }
  /** Whether a name without a definition gets one. Default: false. */
  readonly autoCreateVariables?: boolean | null | undefined
}

/** The values of the business variables of the caller's account. */
export interface BusinessContext {
  /** Returns all values by name. */
  readonly get: (options?: CallOptions) => Promise<{ readonly [name: string]: VariableScalar }>
  /** Sets and removes values. When it rejects, nothing has changed. */
  readonly set: (input: SetBusinessContext, options?: CallOptions) => Promise<void>
}
