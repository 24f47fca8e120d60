// oxlint-disable-next-line eslint/no-restricted-imports -- The suite belongs to http, and tests are not published.
import { answersOverSockets } from "../../../http/test/request/sockets.ts"
import { byListener } from "./byListener.ts"

answersOverSockets("the reference server", byListener)
