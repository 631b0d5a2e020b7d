import { type Json, secretName } from '@countersign/core/plugin';
import { readNetworkHost } from '@countersign/model';
import { z } from 'zod';

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const status = z.int().min(300).max(599);

/** Statuses of RFC 9110 and RFC 6585 after which the same request may succeed. */
const RETRIED = [408, 425, 429, 500, 502, 503, 504];

const Authentication = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('none').meta({ title: 'None' }) }),
  z.strictObject({
    type: z.literal('bearer').meta({ title: 'Bearer token' }),
    secret: secretName().meta({ title: 'Token', description: 'The name of a secret of Connectors:Secrets.' }),
  }),
  z.strictObject({
    type: z.literal('basic').meta({ title: 'User name and password' }),
    username: z
      .string()
      .regex(/^[^:]*$/, 'A user name has no colon.')
      .meta({ title: 'User name' }),
    secret: secretName().meta({ title: 'Password', description: 'The name of a secret of Connectors:Secrets.' }),
  }),
  z.strictObject({
    type: z.literal('header').meta({ title: 'API key in a header' }),
    name: z.string().min(1).meta({ title: 'Header', description: 'For example X-API-Key.' }),
    secret: secretName().meta({ title: 'Key', description: 'The name of a secret of Connectors:Secrets.' }),
  }),
]);

/** Returns whether text is a host. Policies evaluate hosts, so patterns are not accepted. */
function isHost(text: string): boolean {
  return !text.includes('*') && !text.includes('@') && readNetworkHost(text) !== undefined;
}

/** Inputs of a call in a BPMN model. */
export const HttpInput = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']).default('GET').meta({ title: 'Method' }),
  url: z.string().min(1).meta({ title: 'URL', description: 'At a host that the operator allows.' }),
  query: z
    .record(z.string(), z.union([scalar, z.array(scalar)]))
    .optional()
    .meta({ title: 'Query', description: 'A context, such as {page: 2}. Lists repeat a name.' }),
  headers: z.record(z.string(), z.string()).optional().meta({
    title: 'Headers',
    description: 'A context, such as {Accept: "text/csv"}. No credentials: they are secrets.',
  }),
  body: z.json().optional().meta({
    title: 'Body',
    description: 'A text is sent as it is, anything else as JSON, or as a form where the header Content-Type says so.',
  }),
  authentication: Authentication.default({ type: 'none' }).meta({ title: 'Authentication' }),
  timeoutSeconds: z
    .int()
    .min(1)
    .max(300)
    .default(30)
    .meta({ title: 'Time limit', description: 'For the whole call, redirects included, in seconds.', group: 'limits' }),
  maxRedirects: z.int().min(0).max(20).default(5).meta({
    title: 'Redirects',
    description: 'How many are followed. With 0 a redirect is an answer.',
    group: 'limits',
  }),
  redirectHosts: z
    .array(z.string().min(1).max(262).refine(isHost, 'Expected the name or address of a host, with or without a port.'))
    .max(20)
    .default([])
    .meta({
      title: 'Redirects to other hosts',
      description: 'Hosts that redirects may lead to beside that of the URL, such as ["cdn.example.com"].',
      group: 'limits',
    }),
  resultOn: z.array(status).default([]).meta({
    title: 'Also results',
    description: 'Statuses beside 200 to 299 that the workflow wants to see, such as [404].',
    group: 'limits',
  }),
  inexactNumbers: z.enum(['refuse', 'text']).default('refuse').meta({
    title: 'Inexact numbers',
    description:
      'How to handle a number in a JSON response that a variable cannot hold exactly, such as an account number of 19 digits: fail with an incident, or return it as text.',
    group: 'limits',
  }),
  retryOn: z.array(status).default(RETRIED).meta({
    title: 'Tried again',
    description: 'Statuses after which the call is made again. Any other is an incident at once.',
    group: 'limits',
  }),
});

export type HttpInput = z.output<typeof HttpInput>;

/** Output of a call in the run. */
export const HttpOutput = z.object({
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  /** Depending on `bodyType`: JSON, text, base64, or `null`. */
  // Accepts JSON of any depth. The depth limit is checked without recursion where the value is stored.
  body: z.custom<Json>(),
  bodyType: z.enum(['json', 'text', 'binary', 'none']),
});

export type HttpOutput = z.output<typeof HttpOutput>;
