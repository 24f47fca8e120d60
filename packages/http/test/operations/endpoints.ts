import type { Operation } from "@frontdesk/core/access/Permission"
import { Api } from "@frontdesk/http/Api"
import { OperationName } from "@frontdesk/http/ApiAnnotations"
import * as Context from "effect/Context"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"

const found = new Map<Operation, HttpApiEndpoint.Top>()
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint }) => void found.set(Context.getUnsafe(endpoint.annotations, OperationName), endpoint)
})

/** The endpoint of each operation. */
export const endpoints: ReadonlyMap<Operation, HttpApiEndpoint.Top> = found
