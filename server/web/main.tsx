import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { StrictMode, Suspense, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { TrancheError } from '../v1/client.ts'
import { useDayForm } from './app/day-form.ts'
import { pageAt } from './app/pages.ts'
import { useRoute } from './app/route.ts'
import { Shell } from './app/shell.tsx'
import { isBeingDerived } from './ask/failure.ts'
import { readSession } from './ask/session.ts'
import { SignIn, Welcome } from './pages/sign-in/sign-in.tsx'
import { Boundary } from './parts/boundary.tsx'
import { Failure, Loading } from './parts/state.tsx'
import './app/theme.ts'
import './app/trusted.ts'
import './style/tokens.css'
import './style/base.css'

/** A day that takes minutes to derive is asked for so many times. */
const MOST_RETRIES = 6

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failed, error) => failed < MOST_RETRIES && isBeingDerived(error),
      staleTime: 60_000,
      refetchOnWindowFocus: false,
    },
  },
})

function App() {
  const { path } = useRoute()
  const session = useQuery({
    queryKey: ['session'],
    queryFn: readSession,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const page = pageAt(path)
  const dayForm = useDayForm()
  useEffect(() => {
    document.title = `${page.title(path)} · Tranche`
  }, [page, path])
  if (path[0] === 'welcome') return <Welcome />
  if (session.isPending) return <Loading />
  if (session.isError) return <Failure error={session.error} again={session.refetch} />
  if (!session.data) return <SignIn />
  return (
    <Shell key={dayForm} session={session.data}>
      <Boundary key={path.join('/')}>
        <Suspense fallback={<Loading />}>
          <page.show path={path} />
        </Suspense>
      </Boundary>
    </Shell>
  )
}

// An expired session is noticed by the first call that is refused.
queries.getQueryCache().subscribe(({ type, query }) => {
  const { error } = query.state
  if (
    type === 'updated' &&
    error instanceof TrancheError &&
    error.status === 401 &&
    query.queryKey[0] !== 'session'
  )
    void queries.invalidateQueries({ queryKey: ['session'] })
})

createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
)
