import { constants, setPriority } from 'node:os'
import { Argument, type Command } from 'commander'
import { type UnplacedOutcome, unplacedOutcomes } from '../domain/words.ts'
import type { DoublesOptions } from './doubles.ts'
import { questions } from '../history/questions.ts'
import { program, value, wholeNumber } from './program.ts'
import { gatewayNames } from '../domain/payment-methods.ts'
import { wayNames } from '../messages/message-way.ts'

/** All verbs of `npm run shop`. A verb loads its code when it runs. */
export function shopProgram(): Command {
  const shop = program('shop', 'All commands of the shop, except npm start.').configureHelp({
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
    .description('fills a new shop with made-up orders, for a demo or a measurement')
    .requiredOption('--orders <N>', 'how many, 1 to 10,000,000', wholeNumber(1, 10_000_000))
    .option('--seed <N>', 'of the random numbers: each gives another shop', wholeNumber(0, 4_294_967_295), 1)
    .addHelpText(
      'after',
      `
DATA_DIR must be new or empty. The orders span the last two years, with every payment method of the sandbox and every way in which an order can end;
the newest are still open. Prices, packs, stock and the delivery mode change over time. The same seed gives the same shop, except for its keys and its
last moment. The first start builds the views and creates the owner's account.`,
    )
    .action(async (options: { orders: number; seed: number }) => (await import('./seed.ts')).seed(options))

  shop
    .command('backup')
    .description('copies log and vault, and verifies the copies')
    .requiredOption('--to <DIR>', 'for the copy of the log: a new or empty folder', value)
    .option('--vault-to <DIR>', 'the same for the vault; store it apart, since both together reveal every buyer', value)
    .addHelpText(
      'after',
      `
The shop may be running; the copy contains every order that was answered before. A copy is complete when its name ends in .sqlite.
With VAULT_URL only the log is copied; copy the vault by mongodump afterwards.`,
    )
    .action(async (options: { to: string; vaultTo?: string }) => (await import('./backup.ts')).backup(options))

  shop
    .command('restore')
    .description('restores a backup into an empty DATA_DIR')
    .requiredOption('--from <DIR>', 'the folder with the copy of the log', value)
    .option('--vault-from <DIR>', 'the folder with the copy of the vault', value)
    .option('--accept-lost-customers', 'accepts an older vault: buyers that it does not know count as erased')
    .addHelpText(
      'after',
      `
Stop all processes of the shop first; MONGODB_URL and VAULT_URL must be reachable. The log then records that everything after the copy is lost, and
its order numbers are not assigned again. The copies are not changed. With VAULT_URL only the log is restored; restore the vault by mongorestore before.`,
    )
    .action(async (options: { from: string; vaultFrom?: string; acceptLostCustomers?: true }) =>
      (await import('./restore.ts')).restore(options),
    )
}

function addChecks(shop: Command): void {
  shop
    .command('doctor')
    .description('checks each engine: reachable, durable, version, clock')
    .option('--payments', 'checks the keys and the webhook address of each payment provider')
    .option('--messages', 'checks each way to reach owner and buyers: mail, Discord, Telegram')
    .addHelpText(
      'after',
      `
It changes nothing; the shop may be running. Lines begin with ok, note (a warning) or must (fix it).`,
    )
    .action(async (options: { payments?: true; messages?: true }) => (await import('./doctor.ts')).doctor(options))

  shop
    .command('verify')
    .description('checks all of log and vault: the checksum of every event, and the buyer of every order')
    .option(
      '--books',
      'also checks that the books balance: coins set, reserved, sold and free; every receipt and delivery',
    )
    .option('--views', 'also checks each document of the views against the log')
    .addHelpText(
      'after',
      `
It changes nothing; the shop may be running. Lines begin with ok, note (not checked) or must (fix it). It prints 20 problems of each part, and their number.`,
    )
    .action(async (options: { books?: true; views?: true }) => (await import('./verify.ts')).verify(options))
}

function addViewsAndLog(shop: Command): void {
  const views = shop.command('views').description('lists the views, or rebuilds them while the shop runs')
  views
    .command('list')
    .description('lists each set of views with its state, lag and size, and its broken documents')
    .action(async () => (await import('./views.ts')).listViews())
  views
    .command('prepare')
    .description('builds the views of a new release while the old one runs')
    .action(async () => (await import('./views.ts')).prepareViews())
  views
    .command('rebuild')
    .description('builds the views anew; the present ones serve until then')
    .action(async () => (await import('./views.ts')).rebuildViews())

  shop
    .command('log')
    .description('moves the log of a stopped shop to another engine')
    .command('copy')
    .description('copies every event, compares both logs, and records the new one in the vault')
    .requiredOption(
      '--to <TARGET>',
      'the address of an EventStoreDB (esdb://...), or a folder for an embedded log',
      value,
    )
    .addHelpText(
      'after',
      `
Stop all processes of the shop first. If it is interrupted, run it again: it continues. From then on the shop starts on the new log only; its views are
rebuilt, and the vault stays where it is. If it fails, nothing is lost, and the shop can be started as before.`,
    )
    .action(async (options: { to: string }) => (await import('./log.ts')).copyLog(options))
}

function addHistory(shop: Command): void {
  const history = shop.command('history').description('exports the log to a SQLite file, and runs SQL on it')
  history
    .command('export <FILE>')
    .description('writes orders, payments and events into a new private SQLite file')
    .option('--as-of <T>', 'up to a day (2026-01-31), a moment (2026-01-31T18:00:00Z) or a position', value)
    .option('--reveal', 'includes the buyers; needs the vault, and the log records it')
    .addHelpText(
      'after',
      `
The shop may be running. The file gets its name when it is complete; SELECT sql FROM sqlite_schema describes its columns.`,
    )
    .action(async (file: string, options: { asOf?: string; reveal?: true }) => {
      // A shop that runs on this machine has priority.
      setPriority(constants.priority.PRIORITY_LOW)
      await (await import('./history/export-history.ts')).exportHistory(file, options)
    })
  history
    .command('sql <FILE> <QUERY>')
    .description('runs a question by its name, or any query, on such a file')
    .option('--csv', 'prints CSV; text that a spreadsheet would take for a formula gets an apostrophe in front')
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
  const admin = shop
    .command('admin')
    .description('needs access to the files of the shop: password, erasing, lost events, money without an order')
  admin
    .command('set-password')
    .description('sets a new password for the owner, and ends all sessions')
    .addHelpText(
      'after',
      `
The shop may be running. The password (10 characters or more) is read from ADMIN_NEW_PASSWORD, or asked for twice, without echo on a terminal.`,
    )
    .action(async () => (await import('./admin.ts')).setPassword())
  admin
    .command('reset-second-factor')
    .description('turns login codes off and ends all sessions: after a lost phone, or with an older copy of the vault')
    .addHelpText('after', '\nThe shop may be running. It asks; the password stays.')
    .action(async () => (await import('./admin.ts')).resetSecondFactorHere())
  admin
    .command('erase')
    .description('erases a person: reads the e-mail from stdin, lists the orders, and asks')
    .addHelpText(
      'after',
      `
The shop must be running: its views list the orders. Refused while an order still needs its buyer.`,
    )
    .action(async () => (await import('./admin.ts')).erase())
  admin
    .command('accept-loss')
    .description(
      'continues with this log after its end was lost or an older copy was put back; says what is lost, and asks',
    )
    .addHelpText('after', '\nStop all processes of the shop first.')
    .action(async () => (await import('./admin.ts')).acceptLoss())
  admin
    .command('messages')
    .description('turns messages to owner and buyers on again: after a restore, or under another PUBLIC_URL')
    .addArgument(new Argument('<STATE>', 'of the messages').choices(['on']))
    .addHelpText('after', '\nThe shop may be running. What happened until now is not told any more.')
    .action(async () => (await import('./admin.ts')).turnMessagesOnAgain())
  admin
    .command('unplaced')
    .description('lists money that arrived without an order, or settles one payment of it')
    .argument('[PAYMENT]', 'PROVIDER/ID, as it is listed')
    .addArgument(new Argument('[OUTCOME]', 'what you did about it').choices(unplacedOutcomes))
    .addHelpText(
      'after',
      '\nThe shop must be running: its views list the money. A settled payment pays no order; this cannot be undone.',
    )
    .action(async (payment?: string, outcome?: UnplacedOutcome) =>
      (await import('./admin.ts')).unplaced(payment, outcome),
    )
}

function addDoubles(shop: Command): void {
  shop
    .command('doubles')
    .description(
      'plays the payment providers, a mail server, Discord and Telegram on this machine, or controls those that run',
    )
    .option('--port <N>', 'port of the first provider; the others use the next ones', wholeNumber(1, 65_500), 4100)
    .option('--shop <URL>', 'address of the shop', value, 'http://localhost:3000')
    .option('--minutes <N>', 'how long they run', wholeNumber(1, 10_080), 480)
    .option(
      '--provider <NAME>',
      `which one to control: ${[...Object.values(gatewayNames).flat(), ...wayNames].join(', ')}`,
      value,
      'nowpayments',
    )
    .option(
      '--do <WHAT>',
      'what happens to a payment. At NOWPayments: pay, short, over, again, or a status such as confirming, refunded; at PayPal: approve, cancel, complete, deny, refund, reverse, dispute, win, lose, forget; at UPIGateway: pay, short, over, scan, fail, or a status; at Cashfree: pay, short, over, again, pend, fail, drop, refund, or a status',
      value,
    )
    .option('--payment <ID>', 'its id', value, 'latest')
    .option('--amount <N>', 'in coins or dollars, if not the amount that WHAT implies', value)
    .option('--capture <HOW>', 'with `approve`: how the capture ends, such as PENDING or INSTRUMENT_DECLINED', value)
    .option('--coin <CODE>', 'with `again`: in which coin', value)
    .option('--webhooks <N>', 'how many webhooks are sent (1)', wholeNumber(0, 100))
    .option(
      '--answer <HOW>',
      'the next answers to the shop. Of a provider: 429, 500, 429-bare, html, slow, lost, huge, nonsense, redirect, forbidden; of the mail server: login, login-later, sender, recipient, full, full-at-end, spam, busy, slow, drop, lost; of Discord and Telegram: keys, chat, forbidden, wait, 500, html, refused, slow',
      value,
    )
    .option('--times <N>', 'how many answers (1)', wholeNumber(1, 10_000))
    .option('--payments', 'prints all payments')
    .option('--calls', "prints the shop's calls, or its messages")
    .addHelpText(
      'after',
      `
Without --do, --answer, --payments or --calls they start, and print the environment for a shop that uses them. No money moves, and no message leaves this machine.`,
    )
    .action(async (options: DoublesOptions) => (await import('./doubles.ts')).playDoubles(options))
}
