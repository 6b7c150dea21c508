import { expect, it } from 'vitest'
import { mailBody } from './mail-body.ts'

const content = {
  subject: 'A subject',
  paragraphs: ['One & two.'],
  facts: [['Coins', '<b>1M</b>']] as const,
  button: 'Open',
}

it('the HTML has the words of the text, escaped, and loads nothing', () => {
  const { text, html } = mailBody(content, {
    shopName: '"Shop" & Co',
    publicUrl: 'https://shop.example',
    link: 'https://shop.example/order/1#open=a',
  })
  expect(text).toContain('One & two.')
  expect(text).toContain('Open:\nhttps://shop.example/order/1#open=a')
  expect(html).toContain('One &amp; two.')
  expect(html).toContain('&lt;b&gt;1M&lt;/b&gt;')
  expect(html).toContain('&quot;Shop&quot; &amp; Co')
  expect(html).toContain('href="https://shop.example/order/1#open=a"')
  expect(html).not.toMatch(/<(img|script|link)|url\(|src=/)
})

it('a mail without a link has no button', () => {
  const { text, html } = mailBody(content, { shopName: 'Shop', publicUrl: 'https://shop.example', link: undefined })
  expect(text).not.toContain('Open:')
  expect(html).not.toContain('display:inline-block')
})
