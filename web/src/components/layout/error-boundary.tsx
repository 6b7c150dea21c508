import type { ReactNode } from 'react'
import { Component } from 'react'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

interface Props {
  /** What is lost when this part fails, in words: "This page", "The chart". */
  what: string
  /** A new one, such as another address, gives the part another chance. */
  resetBy?: string
  children: ReactNode
}

/** Keeps a fault in one part from taking the rest along. */
export class ErrorBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidUpdate(before: Props) {
    if (this.state.hasFailed && before.resetBy !== this.props.resetBy) this.setState({ hasFailed: false })
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <div className="mx-auto w-full max-w-xl px-4 py-16">
        <Notice tone="bad" title={`${this.props.what} could not be shown`} role="alert">
          <p>An order that you have placed is safe. Load the page again to go on where you were.</p>
          <p>
            <Button onClick={() => window.location.reload()}>Load again</Button>
          </p>
        </Notice>
      </div>
    )
  }
}
