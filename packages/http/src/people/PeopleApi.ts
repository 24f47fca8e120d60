import { MemberId, SessionId } from "@frontdesk/core/access/Person"
import { SignInLinkId } from "@frontdesk/core/access/Session"
import {
  CreateMember,
  CreateSignInLink,
  EndSessions,
  PatchMember,
  SessionQuery
} from "@frontdesk/core/people/MemberInput"
import * as Input from "@frontdesk/core/values/Input"
import * as Wire from "@frontdesk/core/values/Wire"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { CostOf, OnlyKnownFields, OperationName, SecretFields } from "../ApiAnnotations.ts"
import { bodyCodes, errors, postCodes } from "../ApiError.ts"
import { Done, pageFields } from "../PageView.ts"
import { idText, pageQuery } from "../Parameters.ts"
import * as RequestCost from "../request/RequestCost.ts"
import { CallerView, MemberChanged, MemberView, SessionView, SignInLinkIssued, SignInLinkView } from "./PeopleView.ts"

const memberParams = Wire.snakeCase(Schema.Struct({ memberId: idText(MemberId) }))

/** The endpoints of members (D-MEM-1 to D-MEM-4). */
export const MemberApi = HttpApiGroup.make("members")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/members", {
      success: Schema.Struct({ count: Schema.Int, members: Schema.Array(MemberView) }),
      error: errors()
    })
      .annotate(OperationName, "members.list")
      .annotate(OpenApi.Summary, "List members")
      .annotate(OpenApi.Description, "Returns all members, oldest first."),
    HttpApiEndpoint.get("get", "/api/v1/members/:member_id", {
      params: memberParams,
      success: MemberView,
      error: errors("not_found")
    })
      .annotate(OperationName, "members.get")
      .annotate(OpenApi.Summary, "Get a member"),
    HttpApiEndpoint.post("create", "/api/v1/members/create", {
      payload: Wire.snakeCase(CreateMember).pipe(Input.decodes(CreateMember)).annotate({ identifier: "CreateMember" }),
      success: MemberChanged.pipe(HttpApiSchema.status(201)),
      error: errors(...postCodes, "missing_parameter", "limit_reached", "member_exists", "mail_not_offered")
    })
      .annotate(OperationName, "members.create")
      .annotate(OpenApi.Summary, "Create a member")
      .annotate(
        OpenApi.Description,
        "With `send_link` the member is mailed a link with which to sign in to the dashboard within 7 days. The member can have only a role whose permissions the caller has; another one gets `permission_denied`."
      ),
    HttpApiEndpoint.patch("patch", "/api/v1/members/:member_id/update", {
      params: memberParams,
      payload: Wire.snakeCase(PatchMember).pipe(Input.decodes(PatchMember)).annotate({ identifier: "PatchMember" }),
      success: MemberChanged,
      error: errors(...bodyCodes, "not_found", "last_owner")
    })
      .annotate(OperationName, "members.patch")
      .annotate(OpenApi.Summary, "Change a member")
      .annotate(
        OpenApi.Description,
        "A new role acts at once, also for a member who is signed in. A role with more permissions ends the sessions and the open sign-in links of the member. The only owner of an account stays owner: otherwise the answer is `last_owner`."
      ),
    HttpApiEndpoint.delete("delete", "/api/v1/members/:member_id/delete", {
      params: memberParams,
      success: Done,
      error: errors("not_found", "last_owner")
    })
      .annotate(OperationName, "members.delete")
      .annotate(OpenApi.Summary, "Remove a member")
      .annotate(OpenApi.Description, "The sessions and the open sign-in links of the member end at once.")
  )
  .annotate(OpenApi.Title, "Members")
  .annotate(
    OpenApi.Description,
    "The people who may sign in to the dashboard of the account. An owner does everything, an editor reads and changes, a viewer only reads."
  )

const sessionQuery = Wire.snakeCase(
  Schema.Struct({ ...pageQuery, memberId: Schema.optionalKey(idText(MemberId)) })
).pipe(Input.decodes(SessionQuery))

/** The endpoints of sessions (D-MEM-6, D-MEM-7). */
export const SessionApi = HttpApiGroup.make("sessions")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/sessions", {
      query: sessionQuery,
      success: Schema.Struct({ ...pageFields, sessions: Schema.Array(SessionView) }),
      error: errors()
    })
      .annotate(OperationName, "sessions.list")
      .annotate(CostOf, RequestCost.ofRows)
      .annotate(OpenApi.Summary, "List sessions")
      .annotate(
        OpenApi.Description,
        "Returns the sessions of people who are signed in to the dashboard, newest first, one page at a time."
      ),
    HttpApiEndpoint.delete("delete", "/api/v1/sessions/:session_id/delete", {
      params: Wire.snakeCase(Schema.Struct({ sessionId: idText(SessionId) })),
      success: Done,
      error: errors("not_found")
    })
      .annotate(OperationName, "sessions.delete")
      .annotate(OpenApi.Summary, "End a session")
      .annotate(OpenApi.Description, "The person is signed out at once."),
    HttpApiEndpoint.post("deleteAll", "/api/v1/sessions/delete", {
      payload: Wire.snakeCase(EndSessions).pipe(Input.decodes(EndSessions)).annotate({ identifier: "EndSessions" }),
      success: Schema.Struct({ deleted: Schema.Int, message: Schema.String }),
      error: errors(...postCodes, "not_found")
    })
      .annotate(OperationName, "sessions.deleteAll")
      .annotate(OnlyKnownFields, true)
      .annotate(OpenApi.Summary, "End all sessions")
      .annotate(
        OpenApi.Description,
        "Signs out the member `member_id` everywhere, or without it everyone in the account, also the person of this request. A body with an unknown field gets `validation_error`, so that a misspelled `member_id` does not sign out everyone."
      )
  )
  .annotate(OpenApi.Title, "Sessions")
  .annotate(OpenApi.Description, "The people who are signed in to the dashboard of the account.")

/** The endpoints of sign-in links (D-MEM-5). */
export const SignInLinkApi = HttpApiGroup.make("signInLinks")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/dashboard/links", {
      success: Wire.snakeCase(Schema.Struct({ count: Schema.Int, links: Schema.Array(SignInLinkView) })),
      error: errors()
    })
      .annotate(OperationName, "signInLinks.list")
      .annotate(OpenApi.Summary, "List open sign-in links")
      .annotate(OpenApi.Description, "Returns all links that can still be used, oldest first, without their URLs."),
    HttpApiEndpoint.post("create", "/api/v1/dashboard/links", {
      payload: Wire.snakeCase(CreateSignInLink)
        .pipe(Input.decodes(CreateSignInLink))
        .annotate({ identifier: "CreateSignInLink" }),
      success: SignInLinkIssued.pipe(HttpApiSchema.status(201)),
      error: errors(...postCodes, "not_found", "limit_reached")
    })
      .annotate(OperationName, "signInLinks.create")
      .annotate(SecretFields, ["url"])
      .annotate(OpenApi.Summary, "Create a sign-in link")
      .annotate(
        OpenApi.Description,
        "The answer contains the `url`, which signs in once and is not shown again. State either `member_id`, or a `role` for a user of your own program, with `name` and `user_id` as other people shall see them. The link works for `expires_in_minutes`, 15 by default and at most 7 days. Its role can only have permissions that the caller has; another one gets `permission_denied`."
      ),
    HttpApiEndpoint.delete("delete", "/api/v1/dashboard/links/:link_id/delete", {
      params: Wire.snakeCase(Schema.Struct({ linkId: idText(SignInLinkId) })),
      success: Done,
      error: errors("not_found")
    })
      .annotate(OperationName, "signInLinks.delete")
      .annotate(OpenApi.Summary, "Delete a sign-in link")
      .annotate(OpenApi.Description, "The link stops working. A session that was started with it continues.")
  )
  .annotate(OpenApi.Title, "Sign-in links")
  .annotate(OpenApi.Description, "Links with which one person signs in to the dashboard once.")

/** The endpoints about the caller itself. */
export const CallerApi = HttpApiGroup.make("caller")
  .add(
    HttpApiEndpoint.get("get", "/api/v1/caller", { success: CallerView, error: errors() })
      .annotate(OperationName, "caller.get")
      .annotate(OpenApi.Summary, "Get the caller")
      .annotate(OpenApi.Description, "Returns who sends this request: the key or the person, and what it may do."),
    HttpApiEndpoint.get("sessions", "/api/v1/caller/sessions", {
      success: Schema.Struct({ count: Schema.Int, sessions: Schema.Array(SessionView) }),
      error: errors()
    })
      .annotate(OperationName, "caller.sessions")
      .annotate(OpenApi.Summary, "List the caller's own sessions")
      .annotate(
        OpenApi.Description,
        "Returns where the member of this request is signed in, newest first. The list of a key is empty."
      )
  )
  .annotate(OpenApi.Title, "Caller")
  .annotate(OpenApi.Description, "The key or the person that sends the request.")
