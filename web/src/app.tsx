import { type ReactNode, StrictMode, Suspense } from 'react'
import { Route, Routes, useLocation } from 'react-router-dom'
import { ApiCache } from './api/swr.tsx'
import { Footer, HelpFooter } from './components/layout/footer.tsx'
import { ErrorBoundary } from './components/layout/error-boundary.tsx'
import { NavBar } from './components/layout/nav-bar.tsx'
import { ScrollToPlace } from './components/layout/scroll.tsx'
import { Toaster } from './components/ui/toaster.tsx'
import { lazily } from './lib/lazily.ts'

/** One chunk per screen: buyers never load staff code. */
const screens = {
  Landing: lazily(async () => (await import('./routes/landing.tsx')).Landing),
  Purchase: lazily(async () => (await import('./routes/purchase.tsx')).Purchase),
  Order: lazily(async () => (await import('./routes/order.tsx')).OrderScreens),
  MissingId: lazily(async () => (await import('./routes/missing-id.tsx')).MissingId),
  Success: lazily(async () => (await import('./routes/success.tsx')).Success),
  About: lazily(async () => (await import('./routes/about-us.tsx')).AboutUs),
  Terms: lazily(async () => (await import('./routes/terms.tsx')).Terms),
  Privacy: lazily(async () => (await import('./routes/privacy.tsx')).Privacy),
  Refunds: lazily(async () => (await import('./routes/refunds.tsx')).Refunds),
  FindOrder: lazily(async () => (await import('./routes/find-order.tsx')).FindOrder),
  Contact: lazily(async () => (await import('./routes/contact.tsx')).Contact),
  Admin: lazily(async () => (await import('./routes/admin.tsx')).Admin),
  NotFound: lazily(async () => (await import('./routes/not-found.tsx')).NotFound),
}

/** Loads the screens that a buyer opens next. */
export function preloadPurchase(): void {
  for (const screen of [screens.Purchase, screens.Order]) screen.preload().catch(() => undefined)
}

const onTheWayToPay = /^\/(?:checkout\/.|order\/[^/]+\/payment)/

export function App() {
  const location = useLocation()
  // `/order//payment` lacks the order's id.
  const pathname = location.pathname.replaceAll(/\/{2,}/g, '/')
  const isStaff = /^\/admin(?:\/|$)/.test(pathname)
  const isPaying = onTheWayToPay.test(pathname)
  return (
    <div className={`flex min-h-dvh flex-col ${isStaff ? '' : 'pt-16'}`}>
      <ScrollToPlace />
      <a
        href="#main"
        className="fixed top-2 left-2 z-60 -translate-y-24 rounded-control border border-edge bg-surface px-4 py-2.5 focus:translate-y-0"
      >
        Skip to content
      </a>
      {!isStaff && <NavBar mode={isPaying ? 'brand' : 'full'} />}
      <main id="main" tabIndex={-1} className="flex flex-1 flex-col">
        <ErrorBoundary resetBy={pathname} what="This page">
          <Suspense fallback={<div className="min-h-dvh" aria-busy="true" />}>
            <Routes location={{ ...location, pathname }}>
              <Route path="/" element={<screens.Landing />} />
              <Route path="/purchase" element={<screens.Purchase />} />
              <Route path="/checkout" element={<screens.MissingId heading="Invalid Checkout" />} />
              <Route path="/checkout/:orderId" element={<screens.Order screen="Checkout" />} />
              <Route path="/order" element={<screens.MissingId heading="Invalid Order" />} />
              <Route path="/order/payment-method" element={<screens.MissingId heading="Invalid Payment" />} />
              <Route path="/order/payment" element={<screens.MissingId heading="Invalid Payment" />} />
              <Route path="/order/:orderId" element={<screens.Order screen="OrderStatus" />} />
              <Route path="/order/:orderId/payment-method" element={<screens.Order screen="PaymentMethod" />} />
              <Route path="/order/:orderId/payment" element={<screens.Order screen="Payment" />} />
              <Route path="/order/:orderId/confirm" element={<screens.Order screen="Confirm" />} />
              <Route path="/success" element={<screens.Success />} />
              <Route path="/about-us" element={<screens.About />} />
              <Route path="/terms" element={<screens.Terms />} />
              <Route path="/privacy" element={<screens.Privacy />} />
              <Route path="/refunds" element={<screens.Refunds />} />
              <Route path="/find-order" element={<screens.FindOrder />} />
              <Route path="/contact" element={<screens.Contact />} />
              <Route path="/admin" element={<screens.Admin />} />
              <Route path="/admin/orders" element={<screens.Admin />} />
              <Route path="/admin/orders/:orderId" element={<screens.Admin />} />
              <Route path="/admin/products" element={<screens.Admin />} />
              <Route path="/admin/settings" element={<screens.Admin />} />
              <Route path="*" element={<screens.NotFound />} />
            </Routes>
          </Suspense>
        </ErrorBoundary>
      </main>
      {!isStaff && (isPaying ? <HelpFooter /> : <Footer />)}
      <Toaster place={isStaff ? 'staff' : 'shop'} />
    </div>
  )
}

/** Wraps the router, in the browser and when prerendering. */
export function Shell({ children }: { children: ReactNode }) {
  return (
    <StrictMode>
      <ErrorBoundary what="The shop">
        <ApiCache>{children}</ApiCache>
      </ErrorBoundary>
    </StrictMode>
  )
}
