import type * as HttpApi from "effect/http-api/HttpApi"
/** placeholder */
export const mend = (_api: HttpApi.Constraint) => (spec: Record<string, unknown>) => spec
