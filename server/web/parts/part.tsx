import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Empty, Failure, Loading } from './state.tsx'

/** A rendered answer, or a placeholder until it arrives. */
export function Part<T>({
  answer,
  what,
  children,
}: {
  answer: Pick<UseQueryResult<T>, 'data' | 'error' | 'isError' | 'refetch'>
  what: string
  children: (data: T) => ReactNode
}) {
  if (answer.isError) return <Failure error={answer.error} again={() => void answer.refetch()} />
  return answer.data === undefined ? <Loading what={`Reading ${what}`} /> : children(answer.data)
}

/** A chart that may have no data, replaced by a note on what is missing. */
export function Figure<T>({
  title,
  answer,
  empty,
  tools,
  children,
}: {
  title: string
  tools?: ReactNode
  answer: UseQueryResult<readonly T[]>
  empty: string
  children: (rows: readonly T[]) => ReactNode
}) {
  const rows = answer.data
  if (rows && rows.length > 0) return children(rows)
  return (
    <Panel title={title} className="whole" tools={tools}>
      <Part answer={answer} what={title.toLowerCase()}>
        {() => (
          <Empty>
            <p>{empty}</p>
          </Empty>
        )}
      </Part>
    </Panel>
  )
}

export const Panel = ({
  title,
  tools,
  children,
  className = '',
}: {
  title: ReactNode
  tools?: ReactNode
  children: ReactNode
  className?: string
}) => (
  <section className={`panel ${className}`}>
    <header>
      <h2>{title}</h2>
      <span className="spread" />
      {tools}
    </header>
    {children}
  </section>
)
