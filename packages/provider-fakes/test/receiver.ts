import * as Service from "@frontdesk/provider-fakes/Service"

/** A request that the receiver got, with its parsed form. */
export interface Received {
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
  readonly form: Readonly<Record<string, string>>
}

/** Opens a server that records its requests and answers with a status, and with a body of a type if there is one. */
export const openReceiver = async (
  status: () => number = () => 204,
  answer: (request: Received) => { readonly contentType: string; readonly body: string } = () => ({
    contentType: "text/plain",
    body: ""
  })
) => {
  const requests: Array<Received> = []
  const service = await Service.open(0, async ({ body, headers, url }) => {
    const form = Object.fromEntries(new URLSearchParams(body))
    const request = { url: `http://${headers["host"] ?? ""}${url.pathname}${url.search}`, headers, body, form }
    requests.push(request)
    const { body: text, contentType } = answer(request)
    return { status: status(), body: text, headers: { "content-type": contentType } }
  })
  return { ...service, requests }
}
