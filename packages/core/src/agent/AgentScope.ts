import type { Account, AccountId } from "../access/Account.ts"
import type { AgentScope } from "./AgentStore.ts"

/**
 * Returns the scope of the agents that an account sees (C-4.1-2, C-4.1-3, D-TEAM-3).
 *
 * A standard account sees its own agents and those of its teams. A partner sees its own and those of its clients. A client
 * sees its own and those of its partner. Partners and clients see no agents through teams.
 *
 * @param clientIds the clients of a partner; it has no effect for the other roles
 */
export const agentScope = (
  account: Pick<Account, "id" | "role" | "partnerId" | "teamIds">,
  clientIds: ReadonlyArray<AccountId>
): AgentScope => {
  switch (account.role) {
    case "standard":
      return { accountIds: [account.id], teamIds: account.teamIds }
    case "partner":
      return { accountIds: [account.id, ...clientIds], teamIds: [] }
    case "client":
      return { accountIds: account.partnerId === null ? [account.id] : [account.id, account.partnerId], teamIds: [] }
  }
}
