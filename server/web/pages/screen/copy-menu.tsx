import { useState } from 'react'
import { Menu } from '../../parts/menu.tsx'
import { copies } from './copy-as.ts'
import type { ScreenQuery } from './screen-query.ts'
import type { ScreenDefinition } from './screens.ts'

interface CopyProps {
  readonly screened: ScreenDefinition
  readonly query: ScreenQuery
}

/** The screen as a link, a call, a command, a statement or a script. */
export const CopyAs = (props: CopyProps) => <Menu label="Copy as">{() => <Choices {...props} />}</Menu>

function Choices({ screened, query }: CopyProps) {
  const offered = copies(screened, query)
  const [name, setName] = useState('URL')
  const [copied, setCopied] = useState('')
  const { text } = offered.find(o => o.name === name)!
  return (
    <>
      <div className="segments">
        {offered.map(o => (
          <button key={o.name} type="button" aria-pressed={o.name === name} onClick={() => setName(o.name)}>
            {o.name}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <pre className="copy" tabIndex={0}>
        {text}
      </pre>
      <p className="row">
        <button
          type="button"
          className="primary"
          onClick={() => navigator.clipboard.writeText(text).then(() => setCopied(text))}
        >
          Copy
        </button>
        <span role="status" className="quiet">
          {copied === text ? 'Copied' : ''}
        </span>
      </p>
    </>
  )
}
