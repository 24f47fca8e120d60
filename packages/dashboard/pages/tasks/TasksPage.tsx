import { Page } from "../ui/Page.tsx"

export const TasksPage = () => (
  <Page title="Tasks given up">
    <p />
  </Page>
)
