import * as z from 'zod/mini'
import type { Build } from '../api.ts'
import { problem } from '../contract/problem.ts'
import { type RefusalCode, refusals } from '../../domain/refusal.ts'
import { statusOfRefusal } from './errors.ts'
import type { Route } from './route.ts'

type Json = Record<string, unknown>

/** The API's OpenAPI 3.1 description, made from its contract. */
export function openApi(routes: readonly Route[], shopName: string, build: Build): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method]: operationOf(route) }
  }
  return {
    openapi: '3.1.0',
    info: { title: `${shopName} API`, version: `${build.version}+${build.commit}` },
    paths,
    components: {
      schemas: { Problem: shapeOf(problem, 'output') },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'admin_session' },
      },
    },
    'x-refusals': Object.fromEntries(
      (Object.keys(refusals) as RefusalCode[]).map((code) => [code, statusOfRefusal(code)]),
    ),
  }
}

function operationOf({ path, summary, who, body, query, answers, ...options }: Route): Json {
  const { answersType = 'application/json', status = answers ? 200 : 204 } = options
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const answered = answers ? { content: { [answersType]: { schema: shapeOf(answers, 'output') } } } : {}
  return {
    summary,
    parameters: [...inPath, ...(query ? queryParameters(query) : [])],
    ...(body ? { requestBody: { content: { 'application/json': { schema: shapeOf(body, 'input') } } } } : {}),
    ...(who === 'staff' ? { security: [{ bearer: [] }, { cookie: [] }] } : {}),
    responses: {
      [status]: { description: 'Done', ...answered },
      default: {
        description: 'Refused, or failed',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  }
}

function queryParameters(query: z.core.$ZodType): Json[] {
  const { properties = {}, required = [] } = shapeOf(query, 'input') as { properties?: Json; required?: string[] }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

export function shapeOf(schema: z.core.$ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...shape } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return shape
}
