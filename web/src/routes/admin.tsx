import LogOut from 'lucide:log-out'
import X from 'lucide:x'
import { useEffect } from 'react'
import { Link, useLocation, useParams } from 'react-router-dom'
import { refreshStaff } from '../api/admin.ts'
import { usePlayMoney, useSold } from '../api/shop.ts'
import { checkSession, leaveSession, logOut, useStaffSession } from '../api/staff-session.ts'
import { useStaffUpdates, useUpdates } from '../api/updates.ts'
import { ErrorBoundary } from '../components/layout/error-boundary.tsx'
import { PageHeading } from '../components/layout/page.tsx'
import { Button, Spinner } from '../components/ui/button.tsx'
import { LoadError } from '../components/ui/loaded.tsx'
import { TitledCard } from '../components/ui/titled-card.tsx'
import { toast, useAction } from '../components/ui/use-action.ts'
import { Dashboard } from '../features/admin/dashboard/dashboard.tsx'
import { FirstDay } from '../features/admin/first-day/first-day.tsx'
import { Login } from '../features/admin/session/login.tsx'
import { CodeDialog, LoginCodes } from '../features/admin/session/login-codes.tsx'
import { PasswordForm } from '../features/admin/session/password-form.tsx'
import { Sessions } from '../features/admin/session/sessions.tsx'
import { OrderDialog } from '../features/admin/orders/order-dialog.tsx'
import { OrderListPanel } from '../features/admin/orders/order-list-panel.tsx'
import { PastDay } from '../features/admin/dashboard/past-day.tsx'
import { MessagesCard } from '../features/admin/messages/messages-card.tsx'
import { PaymentProviders, ProvidersAway } from '../features/admin/providers/payment-providers.tsx'
import { BlockedBuyers } from '../features/admin/settings/blocked-buyers.tsx'
import { SettingsPanel } from '../features/admin/settings/settings-panel.tsx'
import { ToDeliver } from '../features/admin/hand-over/to-deliver.tsx'
import { ToPayBack } from '../features/admin/hand-over/to-pay-back.tsx'
import { Attention, PreOrders, StockLeft, Unplaced } from '../features/admin/hand-over/waiting.tsx'
import { useWaiting } from '../features/admin/shared/use-waiting.ts'
import { searchAt, useAsOf, useClose } from '../features/admin/shared/use-as-of.ts'
import { dayName } from '../features/admin/shared/staff-words.ts'

const tabs = [
  { name: 'Dashboard', to: '/admin' },
  { name: 'Orders', to: '/admin/orders' },
  { name: 'Settings', to: '/admin/settings' },
] as const

type TabName = (typeof tabs)[number]['name']

export function Admin() {
  const session = useStaffSession()
  const close = useClose()
  useEffect(() => {
    checkSession()
    return leaveSession
  }, [])
  useEffect(() => {
    if (session.is === 'out' && session.because === 'password-changed')
      toast('Session Expired', 'Admin password was changed. Please login again.', { destructive: true })
  }, [session])

  if (session.is === 'in') return <Workspace onClose={close} />
  return (
    <div className="grid content-start justify-items-center px-4 pt-[20vh] pb-8 text-sm">
      <div className="grid w-full max-w-sm gap-5">
        {session.is === 'out' ? (
          <Login because={session.because} onCancel={close} />
        ) : (
          <PageHeading className="text-xl">Admin Dashboard</PageHeading>
        )}
        {session.is === 'unknown' && (
          <p role="status" className="flex items-center justify-center gap-3 text-muted">
            <Spinner />
            Checking authentication...
          </p>
        )}
        {session.is === 'unreachable' && (
          <LoadError
            title="Whether you are logged in could not be checked"
            error={session.error}
            onRetry={checkSession}
          >
            <Button kind="quiet" onClick={close}>
              Close
            </Button>
          </LoadError>
        )}
      </div>
    </div>
  )
}

function Workspace({ onClose }: { onClose: () => void }) {
  const { pathname } = useLocation()
  const { orderId } = useParams()
  const tab = tabOf(pathname)
  const asOf = useAsOf()
  return (
    <div className="flex min-h-dvh flex-col text-sm">
      <Header tab={tab} asOf={asOf} onClose={onClose} />
      <div className="mx-auto grid w-full max-w-[90rem] grid-cols-[minmax(0,1fr)] content-start gap-3 px-3 pt-3 pb-36 sm:px-6 sm:pb-5">
        <ErrorBoundary isPart what={`The ${tab.toLowerCase()} tab`} resetBy={pathname}>
          {asOf === undefined ? (
            <Present tab={tab} />
          ) : (
            <PastDay day={asOf}>{(endsAt) => <Desk tab={tab} endsAt={endsAt} />}</PastDay>
          )}
        </ErrorBoundary>
      </div>
      {orderId !== undefined && <OrderDialog key={orderId} />}
      <CodeDialog />
    </div>
  )
}

function Present({ tab }: { tab: TabName }) {
  useStaffUpdates(refreshStaff)
  useUpdates(['pricing', 'products', 'settings'])
  return (
    <>
      <ProvidersAway />
      <FirstDay isListed={tab === 'Dashboard'} />
      <Desk tab={tab} />
      <FirstDay isListed={tab === 'Dashboard'} isBelow />
    </>
  )
}

function Desk({ tab, endsAt }: { tab: TabName; endsAt?: string | undefined }) {
  const waiting = <Waiting isOneLine={tab !== 'Dashboard'} endsAt={endsAt} />
  if (tab === 'Dashboard') return <Dashboard>{waiting}</Dashboard>
  return (
    <>
      {waiting}
      {tab === 'Orders' && <OrderListPanel />}
      {tab === 'Settings' && (
        <SettingsPanel>
          <PaymentProviders />
          <MessagesCard />
          <BlockedBuyers />
          <TitledCard title="Password" id="password">
            <PasswordForm />
          </TitledCard>
          <LoginCodes />
          <Sessions />
        </SettingsPanel>
      )}
    </>
  )
}

/** Work that waits for staff: lists on the dashboard, elsewhere one line. */
function Waiting({ isOneLine, endsAt }: { isOneLine: boolean; endsAt: string | undefined }) {
  return (
    <>
      <Unplaced />
      <div className={isOneLine ? 'flex flex-wrap gap-2 empty:hidden max-sm:flex-col' : 'contents'}>
        <Attention isOneLine={isOneLine} />
        <ToDeliver isOneLine={isOneLine} endsAt={endsAt} />
      </div>
      {!isOneLine && <ToPayBack />}
      {!isOneLine && <PreOrders />}
      {!isOneLine && endsAt === undefined && <StockLeft />}
    </>
  )
}

function tabOf(pathname: string): TabName {
  if (pathname.startsWith('/admin/orders')) return 'Orders'
  return /^\/admin\/(?:settings|products)/.test(pathname) ? 'Settings' : 'Dashboard'
}

function Header({ tab, asOf, onClose }: { tab: TabName; asOf: string | undefined; onClose: () => void }) {
  const playMoney = usePlayMoney()
  const { coinOfShop } = useSold()
  const shown = asOf === undefined ? tab : `${tab} as of ${dayName(asOf)}`
  const waiting = useWaiting()
  return (
    <header
      className={`top-0 z-30 border-b border-line bg-paper print:hidden ${asOf === undefined ? 'sm:sticky' : ''}`}
    >
      <div className="mx-auto flex max-w-[90rem] flex-wrap items-center gap-x-3 px-3 sm:px-6">
        <PageHeading
          title={`${asOf === undefined ? waiting : ''}${shown} – Admin Dashboard`}
          className="text-base min-[380px]:text-lg"
        >
          Admin Dashboard
        </PageHeading>
        <div className="ml-auto flex py-1 sm:order-last sm:gap-1 xl:ml-0">
          <LogoutButton />
          <Button size="small" kind="quiet" className="max-sm:px-2" onClick={onClose}>
            <X className="max-[379px]:hidden" />
            Close
          </Button>
        </div>
        <p className="text-muted max-xl:w-full max-xl:order-last">
          Manage your {coinOfShop} shop{' '}
          {playMoney && (
            <span className="inline-block rounded-control border border-amber-edge bg-amber-soft px-2 text-ink sm:ml-2">
              <strong>{playMoney.name}:</strong> {playMoney.text}
            </span>
          )}
        </p>
        <div className="max-xl:order-last max-xl:w-full xl:ml-auto">
          {/* The links replace the history entry, so that Close is always one step back. */}
          <nav aria-label="Admin sections" className="-mx-1 flex flex-wrap gap-x-1">
            {tabs.map(({ name, to }) => (
              <Link
                key={name}
                to={{ pathname: to, search: name === 'Settings' ? '' : searchAt(asOf) }}
                replace
                aria-current={name === tab ? 'page' : undefined}
                className="flex min-h-11 items-center border-b-3 border-transparent px-3 font-semibold text-muted hover:text-ink aria-[current]:border-amber-edge aria-[current]:text-ink"
              >
                {name}
              </Link>
            ))}
          </nav>
        </div>
      </div>
    </header>
  )
}

function LogoutButton() {
  const leave = useAction(async () => {
    await logOut()
    toast('Logged Out', 'Successfully logged out')
  }, 'Error')
  return (
    <Button
      size="small"
      kind="quiet"
      className="max-sm:px-2"
      pending={leave.isBusy && 'Logging out...'}
      onClick={leave.run}
    >
      <LogOut className="max-sm:hidden" />
      Logout
    </Button>
  )
}
