import { lazy, Suspense, useCallback } from 'react'
import { Route, Routes, useLocation } from 'react-router-dom'
import { Footer, HelpFooter } from './components/layout/footer.tsx'
import { ErrorBoundary } from './components/layout/error-boundary.tsx'
import { NavBar } from './components/layout/nav-bar.tsx'
import type { Screen } from './components/layout/preload.ts'
import { PreloadContext } from './components/layout/preload.ts'
import { ScrollToPlace } from './components/layout/scroll.tsx'
import { Toaster } from './components/ui/toaster.tsx'
import { screens } from './router.tsx'

const Landing = lazy(screens.landing)
const Purchase = lazy(screens.purchase)
const Checkout = lazy(screens.checkout)
const PaymentMethod = lazy(screens.paymentMethod)
const Payment = lazy(screens.payment)
const Confirm = lazy(screens.confirm)
const OrderStatus = lazy(screens.orderStatus)
const MissingId = lazy(screens.missingId)
const Success = lazy(screens.success)
const About = lazy(screens.about)
const Terms = lazy(screens.terms)
const Privacy = lazy(screens.privacy)
const Refunds = lazy(screens.refunds)
const Contact = lazy(screens.contact)
const Admin = lazy(screens.admin)
const NotFound = lazy(screens.notFound)

const onTheWayToPay = /^\/(?:checkout\/.|order\/[^/]+\/payment)/

export function App() {
  const { pathname } = useLocation()
  const isStaff = /^\/admin(?:\/|$)/.test(pathname)
  const isPaying = onTheWayToPay.test(pathname)
  const preload = useCallback((screen: Screen) => void screens[screen]().catch(() => undefined), [])
  return (
    <PreloadContext value={preload}>
      <div className={`flex min-h-dvh flex-col ${isStaff ? '' : 'pt-16'}`}>
        <ScrollToPlace />
        <a
          href="#main"
          className="fixed top-2 left-2 z-50 -translate-y-24 rounded-control border border-edge bg-surface px-4 py-2.5 focus:translate-y-0"
        >
          Skip to content
        </a>
        {!isStaff && <NavBar mode={isPaying ? 'brand' : 'full'} />}
        <main id="main" tabIndex={-1} className="flex flex-1 flex-col">
          <ErrorBoundary resetBy={pathname} what="This page">
            <Suspense fallback={<div className="min-h-dvh" aria-busy="true" />}>
              <Routes>
                <Route path="/" element={<Landing />} />
                <Route path="/purchase" element={<Purchase />} />
                <Route path="/checkout" element={<MissingId heading="Invalid Checkout" />} />
                <Route path="/checkout/:orderId" element={<Checkout />} />
                <Route path="/order" element={<MissingId heading="Invalid Order" />} />
                <Route path="/order/payment-method" element={<MissingId heading="Invalid Payment" />} />
                <Route path="/order/payment" element={<MissingId heading="Invalid Payment" />} />
                <Route path="/order/:orderId" element={<OrderStatus />} />
                <Route path="/order/:orderId/payment-method" element={<PaymentMethod />} />
                <Route path="/order/:orderId/payment" element={<Payment />} />
                <Route path="/order/:orderId/confirm" element={<Confirm />} />
                <Route path="/success" element={<Success />} />
                <Route path="/about-us" element={<About />} />
                <Route path="/terms" element={<Terms />} />
                <Route path="/privacy" element={<Privacy />} />
                <Route path="/refunds" element={<Refunds />} />
                <Route path="/contact" element={<Contact />} />
                <Route path="/admin" element={<Admin />} />
                <Route path="/admin/orders" element={<Admin />} />
                <Route path="/admin/orders/:orderId" element={<Admin />} />
                <Route path="/admin/products" element={<Admin />} />
                <Route path="/admin/settings" element={<Admin />} />
                <Route path="*" element={<NotFound />} />
              </Routes>
            </Suspense>
          </ErrorBoundary>
        </main>
        {!isStaff && (isPaying ? <HelpFooter /> : <Footer />)}
        <Toaster place={isStaff ? 'staff' : 'shop'} />
      </div>
    </PreloadContext>
  )
}
