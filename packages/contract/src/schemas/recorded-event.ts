import { MAX_NAME_LENGTH } from '@countersign/model';
import { z } from 'zod';
import { idSchema, jsonObjectSchema, timestampSchema } from './common.js';
import { buildListSchema } from './list.js';
import { pageQueryShape } from './query.js';

const statusSchema = z.enum(['matched', 'unmatched', 'buffered', 'expired', 'refused']).meta({
  id: 'RecordedEventStatus',
  description:
    '`matched`: it resumed or started a run. `unmatched`: no run waited. `buffered`: it is stored for a run that will wait; `expired`: its buffer time has passed. ' +
    '`refused`: its sender is unknown or not authorized; there is one record for each reason and minute, without the payload.',
});

const recordedEventShape = {
  eventId: idSchema,
  via: z
    .string()
    .meta({ description: 'The entry point through which the event was received.', example: 'event-ingress' }),
  source: z.string().nullable().meta({ description: 'The sender; `null` if unknown.', example: 'ci' }),
  status: statusSchema,
  code: z
    .string()
    .nullable()
    .meta({ description: 'Error code with which the event was refused.', example: 'invalid_signature' }),
  deliveryId: z.string().nullable().meta({ description: 'The key by which duplicates are detected.' }),
  messageName: z.string().nullable(),
  correlationKey: z.string().nullable(),
  runIds: z.array(idSchema).meta({ description: 'Runs that the event resumed, followed by runs that it started.' }),
  startedRunIds: z.array(idSchema),
  receivedAt: timestampSchema,
  expiresAt: timestampSchema.nullable().meta({ description: 'End of its buffer time.' }),
  repeats: z.int().meta({ description: 'Number of duplicates.' }),
  lastRepeatAt: timestampSchema.nullable(),
  bodyDigest: z.string().nullable().meta({ description: 'SHA-256 of the received body, in hexadecimal.' }),
  from: z.string().nullable().meta({ description: 'Network address of the sender.' }),
};

export const recordedEventSchema = z
  .object(recordedEventShape)
  .meta({ id: 'RecordedEvent', description: 'An event that another system delivered, and its outcome.' });
export const recordedEventDetailSchema = z
  .object({
    ...recordedEventShape,
    payload: jsonObjectSchema.nullable().meta({ description: 'Data of the event; `null` if the event was refused.' }),
  })
  .meta({ id: 'RecordedEventDetail' });
export const recordedEventListSchema = buildListSchema(recordedEventSchema, 'RecordedEventList');

export const listRecordedEventsQuerySchema = z.strictObject({
  ...pageQueryShape,
  status: z
    .enum([...statusSchema.options, 'duplicate'])
    .optional()
    .meta({ description: '`duplicate`: events that were received more than once, regardless of their outcome.' }),
  via: z.string().min(1).max(100).optional(),
  source: z.string().min(1).max(MAX_NAME_LENGTH).optional(),
  messageName: z.string().min(1).max(MAX_NAME_LENGTH).optional(),
});

export type RecordedEvent = z.infer<typeof recordedEventSchema>;
export type RecordedEventDetail = z.infer<typeof recordedEventDetailSchema>;
/** The filters after validation, with defaults. */
export type ListRecordedEventsQuery = z.output<typeof listRecordedEventsQuerySchema>;
