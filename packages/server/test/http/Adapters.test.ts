// oxlint-disable-next-line eslint/no-restricted-imports -- The suite belongs to http, and tests are not published.
import { adaptersAgree } from "../../../http/test/adapters.ts"
import { byListener } from "./byListener.ts"

adaptersAgree("the reference server", byListener, 700)
