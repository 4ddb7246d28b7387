import { Component, type ReactNode } from 'react'

/** A page that fails says so, and the others stay within reach. */
export class Boundary extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <div className="state failure" role="alert">
        <p>
          <strong>This page has failed: a fault of the explorer.</strong>
        </p>
        <button type="button" onClick={() => location.reload()}>
          Load it anew
        </button>
      </div>
    )
  }
}
