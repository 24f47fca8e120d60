import { allCodes, errorCodes } from "../ErrorCode.ts"

const codeTable = allCodes.map((code) => `| ${errorCodes[code].status} | \`${code}\` | ${errorCodes[code].meaning} |`)

/** The description of the API in Markdown, with the rules of every operation. It begins the documentation page. */
export const introduction = `Voice agents, calls, contacts, variables, calendar and webhooks.

## API keys

Every request has the header \`Authorization: Bearer <API key>\`. A key belongs to an account. It gives access to the records of that account and of its teams, as far as the permissions of the key allow.

## Bodies and times

Bodies are JSON in UTF-8. Unknown fields are ignored, unless the operation states otherwise. A PUT replaces the record: null means absent, and an absent field gets its default unless the operation states otherwise. A PATCH changes only the fields in the body: null clears a field that may be null.

A time in a request has \`Z\`, an offset, or neither; without either it is a time in the time zone of the account. Times in answers are in UTC. Free time slots are in the time zone of the account or in the requested one.

## Lists

A list has the parameters \`page\`, which begins with 1, and \`limit\`, which is 20 by default and at most 100. A larger \`limit\` counts as 100. A page after the last one is empty.

## Errors

\`\`\`json
{
  "error": "validation_error",
  "message": "email: Expected an e-mail address, for example jo@example.com",
  "details": [
    { "field": "email", "code": "invalid_value", "message": "Expected an e-mail address, for example jo@example.com" }
  ]
}
\`\`\`

\`error\` is a code from the table below, for programs. \`message\` is for people and may change. \`details\` lists the invalid fields, if they are known. The \`X-Request-Id\` of an answer identifies the request in the log of the server.

| status | error | meaning |
| --- | --- | --- |
${codeTable.join("\n")}

## Repeating a POST

Send a POST with an \`Idempotency-Key\` to make it safe to repeat. The request is executed at most once. Within 24 hours, the same request with the same key gets the stored answer, with the header \`Idempotent-Replayed: true\`. The operations that connect and check external calendars ignore the header, because repeating them is harmless.

## Rate limits

The header \`RateLimit\` of an answer has the number of remaining requests, and \`RateLimit-Policy\` the limit. Above the limit the answer is 429 with \`Retry-After\`. A server without rate limits sends neither \`RateLimit\` nor \`RateLimit-Policy\`.`
