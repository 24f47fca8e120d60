import { QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { queryClient } from "./api.ts"
import { router } from "./router.tsx"
import { SessionGate } from "./Session.tsx"

export const App = () => (
  <QueryClientProvider client={queryClient}>
    <SessionGate>
      <RouterProvider router={router} />
    </SessionGate>
  </QueryClientProvider>
)
