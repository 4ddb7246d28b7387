import { useState } from 'react'
import type { Resource } from '../../../../engine/resource.ts'
import { Menu } from '../../parts/menu.tsx'
import type { Asked } from './asked.ts'
import { copies } from './copy-as.ts'

/** The screen as a link, a call, a command, a statement or a script. */
export const CopyAs = ({ resource, asked }: { resource: Resource; asked: Asked }) => (
  <Menu label="Copy as">{() => <Choices resource={resource} asked={asked} />}</Menu>
)

function Choices({ resource, asked }: { resource: Resource; asked: Asked }) {
  const offered = copies(resource, asked)
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
