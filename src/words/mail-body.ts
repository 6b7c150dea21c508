import { html } from './html-text.ts'
import type { MailContent } from './buyer-mails.ts'

interface Sender {
  readonly shopName: string
  readonly publicUrl: string
  /** Of the order's page; undefined if the facts hold the links. */
  readonly link: string | undefined
}

type Content = Omit<MailContent, 'button'> & Partial<Pick<MailContent, 'button'>>

const LABEL_CHARS = 14

/** The plain text and the HTML of a mail, with the same words. The HTML loads nothing. */
export function mailBody(content: Content, sender: Sender): { text: string; html: string } {
  return { text: textOf(content, sender), html: htmlOf(content, sender) }
}

function textOf({ paragraphs, facts, button }: Content, { shopName, publicUrl, link }: Sender): string {
  const rows = facts.map(([label, value]) => `${`${label}:`.padEnd(LABEL_CHARS)}${value}`)
  const action = link === undefined ? [] : [`${button ?? 'Open'}:\n${link}`]
  return [...paragraphs, rows.join('\n'), ...action, `${shopName}\n${publicUrl}`].join('\n\n')
}

function htmlOf(
  { subject, paragraphs, facts, button = 'Open' }: Content,
  { shopName, publicUrl, link }: Sender,
): string {
  const rows = facts.map(
    ([label, value]) =>
      `<tr><th align="left" style="padding:6px 16px 6px 0;font-weight:400;color:#5d5a52">${html(label)}</th><td style="padding:6px 0">${valueHtml(value)}</td></tr>`,
  )
  const action =
    link === undefined
      ? ''
      : `<p style="margin:24px 0"><a href="${html(link)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#1c1b18;color:#ffffff;text-decoration:none;font-weight:600">${html(button)}</a></p>`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${html(subject)}</title></head>
<body style="margin:0;padding:24px 16px;background:#f6f4ee;color:#1c1b18;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:520px;margin:0 auto;padding:24px;border-radius:12px;background:#ffffff">
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${html(subject)}</h1>
${paragraphs.map((text) => `<p style="margin:0 0 12px">${html(text)}</p>`).join('\n')}
<table cellspacing="0" style="margin:16px 0;border-collapse:collapse">${rows.join('')}</table>
${action}
<p style="margin:24px 0 0;color:#5d5a52;font-size:14px">${html(shopName)}<br><a href="${html(publicUrl)}" style="color:#5d5a52">${html(publicUrl)}</a></p>
</div></body></html>
`
}

function valueHtml(value: string): string {
  return /^https?:\/\//.test(value) ? `<a href="${html(value)}" style="color:#1c1b18">Open this order</a>` : html(value)
}
