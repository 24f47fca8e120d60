import * as HttpClientRequest from "effect/http/HttpClientRequest"

/** Asks for times in UTC, whatever zone an event was made in (Graph, "Use the Outlook calendar"). */
export const inUtc: (request: HttpClientRequest.HttpClientRequest) => HttpClientRequest.HttpClientRequest =
  HttpClientRequest.setHeader("prefer", 'outlook.timezone="UTC"')
