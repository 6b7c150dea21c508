import { constants, setPriority } from 'node:os'
import { Argument, type Command } from 'commander'
import { type UnplacedOutcome, unplacedOutcomes } from '../domain/words.ts'
import type { DoublesAsked } from './doubles.ts'
import { questions } from '../history/questions.ts'
import { program, value, wholeNumber } from './program.ts'

/** All that `npm run shop` can be asked to do. A verb loads what it needs when it runs. */
export function shopProgram(): Command {
  const shop = program('shop', 'Everything an owner or operator does with a shop, beside starting it.').configureHelp({
    helpWidth: 120,
    visibleCommands: ({ commands }) =>
      commands.flatMap((verb) => (verb.commands.length > 0 ? [...verb.commands] : [verb])),
    subcommandTerm: (verb) =>
      [verb.parent?.parent ? verb.parent.name() : '', verb.name(), ...verb.registeredArguments.map((one) => one.name())]
        .filter(Boolean)
        .join(' '),
  })

  for (const add of [addCopies, addChecks, addViewsAndLog, addHistory, addAdmin, addDoubles]) add(shop)
  return shop
}

function addCopies(shop: Command): void {
  shop
    .command('seed')
    .description('fills a new shop with made-up orders, for a demo or to measure it at any size')
    .requiredOption('--orders <N>', 'how many, 1 to 10,000,000', wholeNumber(1, 10_000_000))
    .option('--seed <N>', 'another shop for each', wholeNumber(0, 4_294_967_295), 1)
    .addHelpText(
      'after',
      `
DATA_DIR must be new or empty. Made-up people placed the orders over the last two years, paid in the sandbox by every method; they have ended in every way
that an order can end, and the newest are still open. Prices, packs, stock and the way of handing over have changed meanwhile. The same seed gives the same
shop, but for its keys and the moment at which it ends. The first start builds the views and makes the owner's account.`,
    )
    .action(async (options: { orders: number; seed: number }) => (await import('./seed.ts')).seed(options))

  shop
    .command('backup')
    .description('copies log and vault, and reads the copies back')
    .requiredOption('--to <DIR>', 'where the log is copied to: a folder that is empty or not there yet', value)
    .option('--vault-to <DIR>', 'the same for the vault; keep it apart: log and vault together name every buyer', value)
    .addHelpText(
      'after',
      `
The shop may be running: every order that was answered before is in the copy. A file is whole once its name ends in .sqlite.
With VAULT_URL only the log is copied, and the vault by mongodump afterwards.`,
    )
    .action(async (options: { to: string; vaultTo?: string }) => (await import('./backup.ts')).backup(options))

  shop
    .command('restore')
    .description('puts a backup into an empty DATA_DIR')
    .requiredOption('--from <DIR>', 'the folder with the copy of the log', value)
    .option('--vault-from <DIR>', 'the folder with the copy of the vault', value)
    .option('--accept-lost-customers', 'takes an older vault: buyers that it does not know count as erased')
    .addHelpText(
      'after',
      `
Every process of the shop must be stopped, and its other engines (MONGODB_URL, VAULT_URL) be there. What came after the copy is recorded as lost,
and its order numbers are never given again. The copies are only read. With VAULT_URL only the log is restored, and the vault by mongorestore before.`,
    )
    .action(async (options: { from: string; vaultFrom?: string; acceptLostCustomers?: true }) =>
      (await import('./restore.ts')).restore(options),
    )
}

function addChecks(shop: Command): void {
  shop
    .command('doctor')
    .description('checks each engine: reachable, durable, which version, how far its clock is off')
    .option('--payments', 'asks each payment provider whether its keys work, and whether its webhooks can come')
    .addHelpText(
      'after',
      `
It changes nothing, and the shop may be running. Lines begin with ok, note (the shop runs, but read it) or must (do it).`,
    )
    .action(async (options: { payments?: true }) => (await import('./doctor.ts')).doctor(options))

  shop
    .command('verify')
    .description('reads log and vault whole: every event against its checksum, and who placed each order')
    .option(
      '--books',
      'also whether the books balance: coins set, reserved, sold and free; every receipt, every delivery',
    )
    .option('--views', 'also whether each document of the views is what the log makes of it')
    .addHelpText(
      'after',
      `
It only reads, and the shop may be running. Lines begin with ok or must. Of each part 20 are named, then their number.`,
    )
    .action(async (options: { books?: true; views?: true }) => (await import('./verify.ts')).verify(options))
}

function addViewsAndLog(shop: Command): void {
  const views = shop.command('views').description('shows the views, and builds them anew while the shop sells')
  views
    .command('list')
    .description('each set of views: whether it serves, how far it is, its size; and broken documents')
    .action(async () => (await import('./views.ts')).listViews())
  views
    .command('prepare')
    .description('before an upgrade, from the new release beside the running shop: builds its views')
    .action(async () => (await import('./views.ts')).prepareViews())
  views
    .command('rebuild')
    .description('builds the views anew beside those that serve until then')
    .action(async () => (await import('./views.ts')).rebuildViews())

  shop
    .command('log')
    .description('moves the log of a stopped shop into another engine')
    .command('copy')
    .description('copies every event, compares both logs, and has the vault name the new one')
    .requiredOption(
      '--to <TARGET>',
      'the address of an EventStoreDB (esdb://...), or a folder for an embedded log',
      value,
    )
    .addHelpText(
      'after',
      `
Stop every process of the shop first. If it is interrupted, run it again: it goes on where it was. A shop starts on no log but
the one that its vault names. Views are built anew; the vault stays where it is. If it fails, nothing is lost and the shop may go on as it was.`,
    )
    .action(async (options: { to: string }) => (await import('./log.ts')).copyLog(options))
}

function addHistory(shop: Command): void {
  const history = shop.command('history').description('answers questions about the past: one SQLite file, and SQL')
  history
    .command('export <FILE>')
    .description('writes orders, payments and events into a new private SQLite file')
    .option('--as-of <T>', 'as it was then: a day (2026-01-31), a moment (2026-01-31T18:00:00Z) or a position', value)
    .option('--reveal', 'names the buyers; needs the vault, and the log of the shop notes it')
    .addHelpText(
      'after',
      `
The shop may be running. The file has its final name once it is whole; SELECT sql FROM sqlite_schema says what each column means.`,
    )
    .action(async (file: string, options: { asOf?: string; reveal?: true }) => {
      // A shop that sells on this machine comes first.
      setPriority(constants.priority.PRIORITY_LOW)
      await (await import('./history/export-history.ts')).exportHistory(file, options)
    })
  history
    .command('sql <FILE> <QUERY>')
    .description('asks such a file: a question by its name, or any query')
    .option('--csv', 'CSV in place of a table; text that looks like a formula begins with an apostrophe')
    .addHelpText(
      'after',
      () =>
        `\nQuestions:\n${questions()
          .map(({ name, says }) => `  ${name.padEnd(18)} ${says}`)
          .join('\n')}`,
    )
    .action(async (file: string, query: string, options: { csv?: true }) =>
      (await import('./history/ask-history.ts')).askHistory(file, query, options),
    )
}

function addAdmin(shop: Command): void {
  const admin = shop.command('admin').description('does what only somebody with the files of the shop may do')
  admin
    .command('set-password')
    .description('sets a new password for the owner; every session ends')
    .addHelpText(
      'after',
      `
The shop may be running. The password is read from ADMIN_NEW_PASSWORD, or asked for, unseen and twice on a terminal; it needs at least 10 characters.`,
    )
    .action(async () => (await import('./admin.ts')).setPassword())
  admin
    .command('erase')
    .description('erases a person: reads the e-mail from stdin, names the orders, and asks')
    .addHelpText(
      'after',
      `
Run it while the shop runs, whose views name the orders. Refused while an order still needs its buyer.`,
    )
    .action(async () => (await import('./admin.ts')).erase())
  admin
    .command('accept-loss')
    .description(
      'lets the shop go on with this log after an older copy was put back or the log lost its end; says what is lost, and asks',
    )
    .addHelpText('after', '\nStop every process of the shop first.')
    .action(async () => (await import('./admin.ts')).acceptLoss())
  admin
    .command('unplaced')
    .description('lists money that arrived without an order, or settles one payment of it')
    .argument('[PAYMENT]', 'PROVIDER/ID, as it is listed')
    .addArgument(new Argument('[OUTCOME]', 'what was done about it').choices(unplacedOutcomes))
    .addHelpText(
      'after',
      '\nRun it while the shop runs, whose views list the money. A settled payment pays no order any more; there is no way back.',
    )
    .action(async (payment?: string, outcome?: UnplacedOutcome) =>
      (await import('./admin.ts')).unplaced(payment, outcome),
    )
}

function addDoubles(shop: Command): void {
  shop
    .command('doubles')
    .description('plays the payment providers for a live shop on this machine, or steers those that run')
    .option('--port <N>', 'where the first listens on this machine, the others behind it', wholeNumber(1, 65_500), 4100)
    .option('--shop <URL>', 'where the shop is', value, 'http://localhost:3000')
    .option('--minutes <N>', 'how long they run', wholeNumber(1, 10_080), 480)
    .option(
      '--provider <NAME>',
      'which one is steered: nowpayments, paypal, upigateway or cashfree',
      value,
      'nowpayments',
    )
    .option(
      '--do <WHAT>',
      'what happens to a payment. At NOWPayments: pay, short, over, again, or a status such as confirming, refunded; at PayPal: approve, cancel, complete, deny, refund, reverse, dispute, win, lose, forget; at UPIGateway: pay, short, over, scan, fail, or a status; at Cashfree: pay, short, over, again, pend, fail, drop, refund, or a status',
      value,
    )
    .option('--payment <ID>', 'to which one', value, 'latest')
    .option('--amount <N>', 'in coins or dollars; by default what WHAT means', value)
    .option('--capture <HOW>', 'with `approve`: how the capture ends, such as PENDING or INSTRUMENT_DECLINED', value)
    .option('--coin <CODE>', 'with `again`: in which coin', value)
    .option('--webhooks <N>', 'how many are sent of it (1)', wholeNumber(0, 100))
    .option(
      '--answer <HOW>',
      'the next answers to the shop: 429, 500, 429-bare, html, slow, lost, huge, nonsense, redirect, forbidden',
      value,
    )
    .option('--times <N>', 'how many answers (1)', wholeNumber(1, 10_000))
    .option('--payments', 'prints all payments')
    .option('--calls', "prints the shop's calls")
    .addHelpText(
      'after',
      `
Without --do, --answer, --payments or --calls they start, and print the environment of a shop that asks them. No money moves.`,
    )
    .action(async (options: DoublesAsked) => (await import('./doubles.ts')).playDoubles(options))
}
