import { Component, type ReactNode } from 'react'

/** An error on one page is shown there, and the other pages stay usable. */
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
          <strong>This page failed because of a bug in the explorer.</strong>
        </p>
        <button type="button" onClick={() => location.reload()}>
          Load it anew
        </button>
      </div>
    )
  }
}
