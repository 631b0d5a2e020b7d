import { z } from 'zod';
import { type Json, MAX_NAME_LENGTH, parseIsoDate, ROLES } from '@countersign/model';

/** Any JSON value. */
export type JsonValue = Json;

/** An id that the service created. New ids are UUIDv7; any RFC 9562 UUID is accepted. */
export const idSchema = z.uuid().meta({
  description: 'A UUID (RFC 9562; version 7 if the server created it).',
  example: '01938f5a-7c1e-7b62-9d53-0c9a4f1b2e77',
});

/** A timestamp as the service writes it: RFC 3339, UTC, milliseconds. */
export const timestampSchema = z.iso
  .datetime({ precision: 3 })
  .meta({ description: 'RFC 3339, UTC, milliseconds.', example: '2026-11-21T09:30:00.000Z' });

/** A timestamp as a caller may write it: RFC 3339 with an offset of at most 18 hours. */
export const timestampInputSchema = z.iso
  .datetime({ offset: true, abort: true })
  .refine(
    (text) => parseIsoDate(text) !== undefined,
    'Must be in the years 1 to 9999, with an offset of at most 18 hours.',
  )
  .meta({
    description: 'RFC 3339 with `Z` or an offset of at most 18 hours, in the years 1 to 9999.',
    example: '2026-11-21T09:30:00Z',
  });

/** A SHA-256 digest, prefixed with its algorithm. */
export const digestSchema = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/)
  .meta({ description: 'A SHA-256 digest.', example: `sha256:${'3f'.repeat(32)}` });

/** A link of a hash chain, or the hash of bytes: lower-case hex without a prefix. */
export const hashSchema = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ description: 'SHA-256 in lower-case hex.', example: '3f'.repeat(32) });

/** The author of an action: the subject of a token, or the name of a part of the system. */
export const principalSchema = z.string().min(1).max(MAX_NAME_LENGTH).meta({
  description: 'The subject of a token, or a name that the server uses for its own actions.',
  example: 'ada',
});

/**
 * Any JSON value. Deliberately not a recursive schema: a body of a million brackets must not overflow the stack.
 * `validateRequest` limits the depth before the schema runs.
 */
export const jsonValueSchema: z.ZodType<JsonValue, JsonValue> = z
  .custom<JsonValue>((value) => value !== undefined, 'Required.')
  .meta({ id: 'JsonValue', description: 'Any JSON value.', override: { description: 'Any JSON value.' } });

export const jsonObjectSchema = z.record(z.string(), jsonValueSchema).meta({ description: 'A JSON object.' });

export const roleSchema = z.enum(ROLES).meta({
  id: 'Role',
  description: 'Each role includes the ones before it: viewer, operator, approver, admin.',
});

export const workflowIdSchema = z
  .string()
  .min(1)
  .max(MAX_NAME_LENGTH)
  .meta({ description: 'Id of the BPMN process.', example: 'release-approval' });
export const versionSchema = z.int().min(1).meta({ description: 'A version, counted from 1.', example: 3 });
export const elementIdSchema = z
  .string()
  .min(1)
  .max(MAX_NAME_LENGTH)
  .meta({ description: 'Id of an element in the BPMN model.', example: 'approve-release' });
export const commentSchema = z
  .string()
  .min(1)
  .max(10_000)
  .meta({ description: 'Free text for readers of the history.' });
