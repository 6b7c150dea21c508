import express from 'express'

/** The bare server that everything is measured against. */
const app = express()
app.get('/', (_request, response) => {
  response.json({ hello: 'world' })
})
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('the server has a port')
  process.stdout.write(`http://127.0.0.1:${address.port}\n`)
})
