/** A placeholder of the content's size, visible after 150 ms. */
export function Skeleton({ className = 'h-5 w-32' }: { className?: string }) {
  return (
    <span aria-hidden="true" className="inline-block max-w-full animate-appear align-middle">
      <span className={`block max-w-full animate-shimmer rounded-control bg-line ${className}`} />
    </span>
  )
}
