import type { ReactNode } from 'react'
import { Component } from 'react'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

interface Props {
  /** What could not be shown: "This page", "The orders tab". */
  what: string
  /** Part of a page that keeps its own heading. */
  isPart?: boolean
  /** The children are rendered again when this changes, such as the address. */
  resetBy?: string
  children: ReactNode
}

/** Shows an error if its children fail to render. */
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
    const Heading = this.props.isPart ? 'p' : 'h1'
    return (
      <div className="mx-auto w-full max-w-xl px-4 py-16">
        <Notice tone="bad" role="alert">
          <Heading className="font-semibold">{this.props.what} could not be shown</Heading>
          <p>An order that you have placed is safe. Load the page again to go on where you were.</p>
          <p>
            <Button onClick={() => window.location.reload()}>Load again</Button>
          </p>
        </Notice>
      </div>
    )
  }
}
