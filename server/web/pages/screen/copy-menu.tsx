import { useState } from 'react'
import { Menu } from '../../parts/menu.tsx'
import type { Asked } from './screen-query.ts'
import { copies } from './copy-as.ts'
import type { Screened } from './screens.ts'

interface CopyProps {
  readonly screened: Screened
  readonly asked: Asked
}

/** The screen as a link, a call, a command, a statement or a script. */
export const CopyAs = (props: CopyProps) => <Menu label="Copy as">{() => <Choices {...props} />}</Menu>

function Choices({ screened, asked }: CopyProps) {
  const offered = copies(screened, asked)
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
