import { type Json, secretName } from '@countersign/core/plugin';
import { readNetworkHost } from '@countersign/model';
import { z } from 'zod';

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const status = z.int().min(300).max(599);

/** Statuses of RFC 9110, RFC 6585 and RFC 8470 after which the same request may succeed. */
const RETRIED_STATUSES = [408, 425, 429, 500, 502, 503, 504];

const AuthenticationSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('none').meta({ title: 'None' }) }),
  z.strictObject({
    type: z.literal('bearer').meta({ title: 'Bearer token' }),
    secret: secretName().meta({ title: 'Token', description: 'The name of a secret of Connectors:Secrets.' }),
  }),
  z.strictObject({
    type: z.literal('basic').meta({ title: 'User name and password' }),
    username: z
      .string()
      .regex(/^[^:]*$/, 'Expected a user name without a colon.')
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
  url: z.string().min(1).meta({ title: 'URL', description: 'URL on a host that the operator allows.' }),
  query: z
    .record(z.string(), z.union([scalar, z.array(scalar)]))
    .optional()
    .meta({ title: 'Query', description: 'A context, such as {page: 2}. A list repeats the name.' }),
  headers: z.record(z.string(), z.string()).optional().meta({
    title: 'Headers',
    description: 'A context, such as {Accept: "text/csv"}. For credentials, use the authentication.',
  }),
  body: z.json().optional().meta({
    title: 'Body',
    description:
      'Text is sent unchanged, anything else as JSON, or as a form if the header Content-Type specifies one.',
  }),
  authentication: AuthenticationSchema.default({ type: 'none' }).meta({ title: 'Authentication' }),
  timeoutSeconds: z.int().min(1).max(300).default(30).meta({
    title: 'Time limit',
    description: 'For the whole call, including redirects, in seconds.',
    group: 'limits',
  }),
  maxRedirects: z.int().min(0).max(20).default(5).meta({
    title: 'Redirects',
    description: 'Number of redirects to follow. With 0, a redirect is treated like any other response.',
    group: 'limits',
  }),
  redirectHosts: z
    .array(z.string().min(1).max(262).refine(isHost, 'Expected the name or address of a host, with or without a port.'))
    .max(20)
    .default([])
    .meta({
      title: 'Redirects to other hosts',
      description: 'Hosts that redirects may lead to in addition to the host of the URL, such as ["cdn.example.com"].',
      group: 'limits',
    }),
  resultOn: z.array(status).default([]).meta({
    title: 'Additional result statuses',
    description: 'Statuses that count as results in addition to 200 to 299, such as [404].',
    group: 'limits',
  }),
  inexactNumbers: z.enum(['refuse', 'text']).default('refuse').meta({
    title: 'Inexact numbers',
    description:
      'How to handle a number in a JSON response that a variable cannot hold exactly, such as an account number of 19 digits: fail with an incident, or return it as text.',
    group: 'limits',
  }),
  retryOn: z.array(status).default(RETRIED_STATUSES).meta({
    title: 'Retried statuses',
    description: 'Statuses after which the call is retried. Any other status raises an incident immediately.',
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
