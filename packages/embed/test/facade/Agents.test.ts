import type { CreateAgent } from "@frontdesk/embed"
import { describe, expect, it } from "vitest"
import { withFrontdesk } from "../opened.ts"

const grace: CreateAgent = { assistantId: "asst_grace", name: "Grace", role: "inbound agent" }

describe("the agents of an account", () => {
  it("are created, replaced, changed and deleted", () =>
    withFrontdesk(async (frontdesk) => {
      const { agents } = frontdesk.as("acme")
      const { id } = await agents.create({ ...grace, phoneNumber: "+12025550142" })
      expect(await agents.patch(id, { model: "gpt-x" })).toMatchObject({ model: "gpt-x", phoneNumber: "+12025550142" })
      expect(await agents.put(id, grace)).toMatchObject({ ...grace, model: "", phoneNumber: null, archivedAt: null })
      expect(await agents.delete(id)).toEqual({ archived: false })
      await expect(agents.get(id)).rejects.toMatchObject({ code: "agent_not_found" })
    }))

  it("are archived with calls, listed only when asked for, and restored by provisioning", () =>
    withFrontdesk(async (frontdesk) => {
      const { agents, calls } = frontdesk.as("acme")
      const call = { phoneNumber: "+12025550123", agentId: "asst_ada" }
      await calls.start(call)
      const ada = await agents.get("asst_ada")
      expect(await agents.delete(ada.id)).toEqual({ archived: true })
      expect((await agents.list()).items).toEqual([])
      const [archived] = (await agents.list({ archived: true })).items
      expect(archived?.archivedAt).toMatch(/Z$/)
      expect({ ...archived, archivedAt: null }).toEqual({ ...ada, phoneNumber: null })
      await expect(calls.start(call)).rejects.toMatchObject({ code: "agent_archived" })
      const agent = { ref: "ada", name: "Ada", assistant_id: "asst_ada", phone_number: "+12025550100" }
      await frontdesk.provision({ accounts: [{ ref: "acme", name: "Acme", price_per_minute: 0.1, agents: [agent] }] })
      expect((await agents.list()).items).toEqual([ada])
      expect((await calls.start(call)).call.agent.id).toBe(ada.id)
    }))

  it("are changed by their account alone, and a number belongs to one account", () =>
    withFrontdesk(async (frontdesk) => {
      const { agents } = frontdesk.as("other")
      const ada = await frontdesk.as("acme").agents.get("asst_ada")
      await expect(agents.delete(ada.id)).rejects.toMatchObject({ code: "agent_not_found" })
      await expect(agents.create({ ...grace, phoneNumber: "+12025550100" })).rejects.toMatchObject({
        code: "validation_error",
        details: [{ field: "phoneNumber" }]
      })
    }))
})
