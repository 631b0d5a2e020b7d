import { z } from 'zod';

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/**
 * Headers that override the method: with them, a call would not do what its method states. `FORBIDDEN_HEADERS` also
 * contains the header that only the server sets.
 */
const METHOD_OVERRIDES = ['x-http-method', 'x-http-method-override', 'x-method-override'];
const FORBIDDEN_HEADERS: ReadonlySet<string> = new Set([...METHOD_OVERRIDES, 'idempotency-key']);
/**
 * Headers that a read may set: only those that determine the form of the response. Some services treat other headers as
 * commands.
 */
const READ_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'if-modified-since',
  'if-none-match',
  'range',
]);

function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

function headersSchema(isAllowed: (name: string) => boolean, message: string) {
  return z
    .record(z.string().max(100), z.string().max(4_000))
    .refine((values) => Object.keys(values).every((name) => isAllowed(name.toLowerCase())), message)
    .optional();
}

const commonFields = {
  url: z
    .string()
    .max(4_000)
    .refine(isHttpUrl, 'Expected an absolute URL that starts with https://, without a user name or a password.')
    .meta({ description: 'URL on a host that the operator allows.' }),
  query: z
    .record(z.string(), z.union([scalar, z.array(scalar)]))
    .optional()
    .meta({ description: 'Parameters to add to the query of the URL. A list repeats the name.' }),
  credential: z.string().min(1).max(63).optional().meta({
    description:
      'Name of the credential to authenticate with, as given in your instructions. Never pass a token or a password itself.',
  }),
};

/** Arguments of `http.get`. */
export const HttpGetInput = z.strictObject({
  ...commonFields,
  headers: headersSchema(
    (name) => READ_HEADERS.has(name),
    `Expected only these headers: ${[...READ_HEADERS].join(', ')}.`,
  ),
});

/** Arguments of `http.request`. */
export const HttpRequestInput = z.strictObject({
  method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE']),
  ...commonFields,
  headers: headersSchema(
    (name) => !FORBIDDEN_HEADERS.has(name),
    `These headers cannot be set: ${[...FORBIDDEN_HEADERS].join(', ')}.`,
  ),
  body: z.json().optional().meta({
    description:
      'Text is sent unchanged, anything else as JSON, or as a form if the header Content-Type is application/x-www-form-urlencoded.',
  }),
});

/** Output of both tools. */
export const HttpToolOutput = z.object({
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  /** Depending on `bodyType`: JSON, text, base64, or `null`. */
  body: z.unknown(),
  bodyType: z.enum(['json', 'text', 'binary', 'none']),
});

export type HttpGetInput = z.output<typeof HttpGetInput>;
export type HttpRequestInput = z.output<typeof HttpRequestInput>;
export type HttpToolOutput = z.output<typeof HttpToolOutput>;
