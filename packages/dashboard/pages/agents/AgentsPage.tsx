import { Page } from "../ui/Page.tsx"

export const AgentsPage = () => (
  <Page title="Agents">
    <p />
  </Page>
)
