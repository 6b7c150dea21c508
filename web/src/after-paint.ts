/** Starts a page that is sent with its frame, once that is painted: on slow networks scripts would delay its styles and fonts. */
const start = () => void import('./main.tsx')

// A hidden tab is not painted.
if (document.visibilityState === 'hidden') start()
else requestAnimationFrame(() => setTimeout(start))
